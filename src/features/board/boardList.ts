import { type BoardPage, boardLimits, type ListedThread } from '#src/contract/board.ts'

/** A board page in the browser. `newThreads` became active after the page loaded; a button shows them. */
export type BoardList = BoardPage & { newThreads: ListedThread[] }

/** Updates listed threads in place and adds others to `newThreads`. @param isFirst whether this is the newest page */
export function mergeList<List extends BoardList>(list: List, fetched: BoardPage, isFirst: boolean): List {
  const byId = new Map(fetched.threads.map((thread) => [thread.id, thread]))
  const listedIds = new Set(list.threads.map((thread) => thread.id))
  const isWholeBoard = isFirst && fetched.nextCursor === null
  const threads = list.threads
    // The newest page has all pinned threads, so any other thread is not pinned.
    .map((thread) => byId.get(thread.id) ?? (isFirst && thread.pinned ? { ...thread, pinned: false } : thread))
    .filter((thread) => !isWholeBoard || byId.has(thread.id))
  const isMoved = isFirst && list.threads.some(({ id, pinned }) => (byId.get(id)?.pinned ?? false) !== pinned)
  return {
    ...list,
    ...fetched,
    threads: isMoved ? sortThreads(threads) : threads,
    newThreads: isFirst ? fetched.threads.filter((thread) => !listedIds.has(thread.id)) : [],
  }
}

export function showNewThreads<List extends BoardList>(list: List): List {
  const threads = sortThreads([...list.newThreads, ...list.threads])
  return { ...list, threads: threads.slice(0, boardLimits.threadsPerPage), newThreads: [] }
}

/** Sorts pinned threads first, then by latest activity, as the server does. */
const sortThreads = (threads: ListedThread[]) =>
  threads.toSorted(
    (a, b) => Number(b.pinned) - Number(a.pinned) || b.lastActivity.getTime() - a.lastActivity.getTime() || b.id - a.id,
  )

export const removeThread = <List extends BoardList>(list: List, threadId: number): List => ({
  ...list,
  threads: list.threads.filter((thread) => thread.id !== threadId),
  newThreads: list.newThreads.filter((thread) => thread.id !== threadId),
})
