import { useCallback } from 'react'
import type { PostView, ThreadPage, ThreadView } from '#src/contract/board.ts'
import { useLive } from '#src/lib/live.ts'
import { unpackThread } from '#src/lib/packedThread.ts'
import { usePageQuery } from '#src/lib/pageQuery.ts'
import { useThrottled } from '#src/lib/throttle.ts'
import { errorCode, trpc } from '#src/lib/trpc.ts'
import { addPost, mergeEvent, removePost } from './merge.ts'

type LiveThread = ThreadPage & { isDeleted: boolean }

/** A thread, kept current by events. */
export function useThread(initial: ThreadPage) {
  const boardId = initial.board.id
  const threadId = initial.thread.id
  const initialData: LiveThread = { ...initial, isDeleted: false }

  const { data, update, refetch } = usePageQuery({
    queryKey: ['thread', threadId, initial.lastEventId],
    queryFn: async ({ client, queryKey }) => {
      const fetched = await fetchThread(boardId, threadId)
      const current = client.getQueryData<LiveThread>(queryKey) ?? initialData
      return fetched ? { ...current, ...fetched } : { ...current, isDeleted: true }
    },
    initialData,
  })
  const refetchSoon = useThrottled(refetch)
  const updateThread = useCallback(
    (change: (thread: ThreadView) => ThreadView) => void update((page) => ({ ...page, thread: change(page.thread) })),
    [update],
  )

  useLive({
    topics: [`thread:${threadId}`, 'boards'],
    lastEventId: initial.lastEventId,
    onEvent: (event) => {
      const { change, topic } = event
      const isDeleted = change.kind === 'thread-gone' || (change.kind === 'board-gone' && change.boardId === boardId)
      if (isDeleted) void update((page) => ({ ...page, isDeleted }))
      if (topic !== 'boards') updateThread((thread) => mergeEvent(thread, event))
    },
    onStale: refetchSoon,
  })

  return {
    ...data,
    /** Adds the visitor's own post before its event arrives. */
    add: useCallback(
      (post: PostView, parentId: number | null) => updateThread((thread) => addPost(thread, post, parentId)),
      [updateThread],
    ),
    remove: useCallback((postId: number) => updateThread((thread) => removePost(thread, postId)), [updateThread]),
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
