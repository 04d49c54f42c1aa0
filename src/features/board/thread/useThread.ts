import { useCallback } from 'react'
import { navigate } from 'vike/client/router'
import type { PostView } from '#src/contract/post.ts'
import { type ThreadPage, type ThreadView, threadPath } from '#src/contract/thread.ts'
import { unpackThread } from '#src/lib/packedThread.ts'
import { usePageQuery } from '#src/lib/pageQuery.ts'
import { errorCode, trpc } from '#src/lib/trpc.ts'
import { useEvents } from '#src/lib/useEvents.ts'

const importMerge = () => import('./merge.ts')
type Merge = Awaited<ReturnType<typeof importMerge>>

type ThreadData = ThreadPage & { isDeleted: boolean }

export function useThread(initial: ThreadPage) {
  const boardId = initial.board.id
  const threadId = initial.thread.id
  const initialData: ThreadData = { ...initial, isDeleted: false }

  const { data, update, refetch } = usePageQuery({
    queryKey: ['thread', threadId, initial.lastEventId],
    queryFn: async ({ client, queryKey }) => {
      const fetched = await fetchThread(boardId, threadId)
      const current = client.getQueryData<ThreadData>(queryKey) ?? initialData
      return fetched ? { ...current, ...fetched, isDeleted: false } : { ...current, isDeleted: true }
    },
    initialData,
  })
  const updateThread = useCallback(
    (change: (merge: Merge, thread: ThreadView) => ThreadView) =>
      void importMerge()
        .then((merge) => update((page) => ({ ...page, thread: change(merge, page.thread) })))
        .catch(refetch),
    [update, refetch],
  )

  useEvents({
    topics: [`thread:${threadId}`, 'boards'],
    lastEventId: initial.lastEventId,
    onEvent: (event) => {
      const { change, topic } = event
      const isDeleted = change.kind === 'thread-gone' || (change.kind === 'board-gone' && change.boardId === boardId)
      if (change.kind === 'thread-moved') void navigate(threadPath(change.boardId, threadId))
      if (isDeleted) void update((page) => ({ ...page, isDeleted }))
      if (topic !== 'boards') updateThread((merge, thread) => merge.mergeEvent(thread, event))
    },
    refetch,
  })

  return {
    ...data,
    /** Adds the visitor's own post before its event arrives. */
    add: useCallback(
      (post: PostView, parentId: number | null) =>
        updateThread((merge, thread) => merge.addPost(thread, post, parentId)),
      [updateThread],
    ),
    remove: useCallback(
      (postId: number) => updateThread((merge, thread) => merge.removePost(thread, postId)),
      [updateThread],
    ),
  }
}

/** Returns null if the thread was deleted. */
async function fetchThread(boardId: string, threadId: number): Promise<ThreadPage | null> {
  try {
    const calls = await trpc()
    return unpackThread(await calls.board.thread.query({ boardId, threadId: String(threadId) }))
  } catch (error) {
    if (errorCode(error) === 'NOT_FOUND') return null
    throw error
  }
}
