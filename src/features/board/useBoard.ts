import { useState } from 'react'
import { useLive } from '#src/lib/live.ts'
import { useShown } from '#src/lib/shown.ts'
import { useThrottled } from '#src/lib/throttle.ts'
import { errorCode, trpc } from '#src/lib/trpc.ts'
import { type ListedThread, listedPage } from './listed.ts'
import { mergeList, showWaiting, type ThreadList, withoutThread } from './merge.ts'

/** A page of a board that follows what happens on it. `gone`: the board was deleted while it was shown. */
export function useBoard(initial: ThreadList, cursor: string | undefined) {
  const boardId = initial.board.id
  const [gone, setGone] = useState(false)

  const { data, change, reread } = useShown({
    version: initial.lastEventId,
    initial: { ...initial, waiting: [] as ListedThread[] },
    read: async () => {
      try {
        return listedPage(await (await trpc()).board.threads.query({ boardId, cursor }))
      } catch (error) {
        if (errorCode(error) === 'NOT_FOUND') setGone(true)
        throw error
      }
    },
    merge: (shown, read: ThreadList) => mergeList(shown, read, cursor === undefined),
  })

  const rereadSoon = useThrottled(reread)

  useLive({
    topics: [`board:${boardId}`, 'boards'],
    lastEventId: initial.lastEventId,
    onEvent: ({ change: made }) => {
      if (made.kind === 'board-gone' && made.boardId === boardId) setGone(true)
      else if (made.kind === 'thread-gone') change((shown) => withoutThread(shown, made.threadId))
      else if (made.kind === 'thread') rereadSoon()
    },
    onStale: rereadSoon,
  })

  return {
    ...data,
    gone,
    showWaiting: () => change(showWaiting),
    remove: (threadId: number) => change((shown) => withoutThread(shown, threadId)),
    /** After a post of one's own nothing waits. */
    reload: async () => {
      await reread()
      change(showWaiting)
    },
  }
}
