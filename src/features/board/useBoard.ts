import { useState } from 'react'
import type { BoardPage, ListedThread } from '#src/contract/board.ts'
import { boardDataPath } from '#src/contract/boardPaths.ts'
import { useLive } from '#src/lib/live.ts'
import { useShown } from '#src/lib/shown.ts'
import { useThrottled } from '#src/lib/throttle.ts'
import { mergeList, showWaiting, withoutThread } from './merge.ts'

/** A page of a board that follows what happens on it. `gone`: the board was deleted while it was shown. */
export function useBoard(initial: BoardPage, cursor: string | undefined) {
  const boardId = initial.board.id
  const [gone, setGone] = useState(false)

  const { data, change, reread } = useShown({
    version: initial.lastEventId,
    initial: { ...initial, waiting: [] as ListedThread[] },
    read: async () => {
      const answer = await fetch(boardDataPath(boardId, cursor))
      if (answer.status === 404) setGone(true)
      if (!answer.ok) throw new Error(`The board could not be read: ${answer.status}`)
      return JSON.parse(await answer.text(), reviveDate) as BoardPage
    },
    merge: (shown, read: BoardPage) => mergeList(shown, read, cursor === undefined),
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

const DATES = new Set(['createdAt', 'lastActivity'])
const reviveDate = (key: string, value: unknown) => (DATES.has(key) ? new Date(value as string) : value)
