import type { BoardPage, ListedThread } from '#src/contract/thread.ts'

/** The fields by which lists of threads are merged, on board pages and in catalogs. */
type Item = Pick<ListedThread, 'id' | 'pinned' | 'lastActivity'>

/** A board page or a catalog in the browser. `newThreads` became active after the page loaded; a button shows them. */
export type BoardList<Thread extends Item = ListedThread> = BoardPage<Thread> & { newThreads: Thread[] }

/** Updates listed threads in place and adds others to `newThreads`. @param isFirst whether this is the newest page */
export function mergeList<Thread extends Item, List extends BoardList<Thread>>(
  list: List,
  fetched: BoardPage<Thread>,
  isFirst: boolean,
): List {
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

/** @param max how many threads the page shows */
export function showNewThreads<Thread extends Item, List extends BoardList<Thread>>(list: List, max: number): List {
  const threads = sortThreads<Thread>([...list.newThreads, ...list.threads])
  return { ...list, threads: threads.slice(0, max), newThreads: [] }
}

/** Sorts pinned threads first, then by latest activity, as the server does. */
const sortThreads = <Thread extends Item>(threads: Thread[]) =>
  threads.toSorted(
    (a, b) => Number(b.pinned) - Number(a.pinned) || b.lastActivity.getTime() - a.lastActivity.getTime() || b.id - a.id,
  )

export const removeThread = <Thread extends Item, List extends BoardList<Thread>>(
  list: List,
  threadId: number,
): List => ({
  ...list,
  threads: list.threads.filter((thread) => thread.id !== threadId),
  newThreads: list.newThreads.filter((thread) => thread.id !== threadId),
})
