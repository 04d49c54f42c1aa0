import { useCallback, useState } from 'react'
import type { PostView, ThreadPage, ThreadView } from '#src/contract/board.ts'
import { useLive } from '#src/lib/live.ts'
import { unpackThread } from '#src/lib/packedThread.ts'
import { useShown } from '#src/lib/shown.ts'
import { useThrottled } from '#src/lib/throttle.ts'
import { errorCode, trpc } from '#src/lib/trpc.ts'
import { createReads } from './duringRead.ts'
import { addPost, mergeEvent, removePost } from './merge.ts'

type Update = (thread: ThreadView) => ThreadView

/** A thread that follows what happens to it. `gone`: it was deleted while it was shown. */
export function useThread(initial: ThreadPage) {
  const boardId = initial.board.id
  const threadId = initial.thread.id
  const version = initial.lastEventId
  const [reads] = useState(() => createReads<Update>())
  const [gone, setGone] = useState(false)

  const {
    data,
    change: changePage,
    reread,
  } = useShown({
    version,
    initial,
    read: async (): Promise<ThreadPage> => {
      try {
        const calls = await trpc()
        const { read, during } = await reads.read(() =>
          calls.board.thread.query({ boardId, threadId: String(threadId) }).then(unpackThread),
        )
        return { ...read, thread: during.reduce((thread, update) => update(thread), read.thread) }
      } catch (error) {
        if (errorCode(error) === 'NOT_FOUND') setGone(true)
        throw error
      }
    },
    merge: (_shown, read) => read,
  })
  const change = useCallback(
    (update: Update) => {
      reads.note(update)
      changePage((page) => ({ ...page, thread: update(page.thread) }))
    },
    [reads, changePage],
  )
  const rereadSoon = useThrottled(reread)

  useLive({
    topics: [`thread:${threadId}`, 'boards'],
    lastEventId: version,
    onEvent: (event) => {
      if (event.change.kind === 'thread-gone') setGone(true)
      if (event.change.kind === 'board-gone' && event.change.boardId === boardId) setGone(true)
      if (event.topic !== 'boards') change((thread) => mergeEvent(thread, event))
    },
    onStale: rereadSoon,
  })

  return {
    board: data.board,
    thread: data.thread,
    gone,
    /** Puts in a post of the reader's own, as the server answered it. */
    add: useCallback(
      (post: PostView, parentId: number | null) => change((thread) => addPost(thread, post, parentId)),
      [change],
    ),
    remove: useCallback((postId: number) => change((thread) => removePost(thread, postId)), [change]),
  }
}
