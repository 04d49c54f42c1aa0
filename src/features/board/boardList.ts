import { type BoardPage, boardLimits, type ListedThread } from '#src/contract/board.ts'

/** A page of a board in the browser: threads that became active since wait until the reader asks for them. */
export type BoardList = BoardPage & { waiting: ListedThread[] }

/** Updates listed threads in place; new ones wait. @param isFirst only the newest page gets new threads */
export function mergeList<List extends BoardList>(list: List, fetched: BoardPage, isFirst: boolean): List {
  const byId = new Map(fetched.threads.map((thread) => [thread.id, thread]))
  const listedIds = new Set(list.threads.map((thread) => thread.id))
  const isWholeBoard = isFirst && fetched.nextCursor === null
  return {
    ...list,
    ...fetched,
    threads: list.threads
      .map((thread) => byId.get(thread.id) ?? thread)
      .filter((thread) => !isWholeBoard || byId.has(thread.id)),
    waiting: isFirst ? fetched.threads.filter((thread) => !listedIds.has(thread.id)) : [],
  }
}

export function showWaiting<List extends BoardList>(list: List): List {
  const threads = [...list.waiting, ...list.threads].sort(
    (a, b) => b.lastActivity.getTime() - a.lastActivity.getTime() || b.id - a.id,
  )
  return { ...list, threads: threads.slice(0, boardLimits.threadsPerPage), waiting: [] }
}

export const removeThread = <List extends BoardList>(list: List, threadId: number): List => ({
  ...list,
  threads: list.threads.filter((thread) => thread.id !== threadId),
  waiting: list.waiting.filter((thread) => thread.id !== threadId),
})
