import { type BoardPage, boardLimits, type ListedThread } from '#src/contract/board.ts'

/** A board page in the browser. `newThreads` became active after the page loaded; a button shows them. */
export type BoardList = BoardPage & { newThreads: ListedThread[] }

/** Updates listed threads in place and adds others to `newThreads`. @param isFirst whether this is the newest page */
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
    newThreads: isFirst ? fetched.threads.filter((thread) => !listedIds.has(thread.id)) : [],
  }
}

export function showNewThreads<List extends BoardList>(list: List): List {
  const threads = [...list.newThreads, ...list.threads].sort(
    (a, b) => b.lastActivity.getTime() - a.lastActivity.getTime() || b.id - a.id,
  )
  return { ...list, threads: threads.slice(0, boardLimits.threadsPerPage), newThreads: [] }
}

export const removeThread = <List extends BoardList>(list: List, threadId: number): List => ({
  ...list,
  threads: list.threads.filter((thread) => thread.id !== threadId),
  newThreads: list.newThreads.filter((thread) => thread.id !== threadId),
})
