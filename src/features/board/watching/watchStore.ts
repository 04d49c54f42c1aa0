import type { ThreadHead } from '#src/contract/thread.ts'
import { postIds } from '#src/features/board/post/postElements.ts'
import { ownPosts } from '#src/features/board/writing/ownPosts.ts'
import { followStored, readStored, writeStored } from '#src/lib/storage.ts'
import { createStore } from '#src/lib/store.ts'
import { WATCHING_CHANGED, WATCHING_KEY } from './watchMark.ts'
import { followThread, NOTHING, noteOwnPost, parseWatchState, unwatchThread, type WatchState } from './watchState.ts'

const load = () => parseWatchState(readStored(WATCHING_KEY))

/** The threads and replies that this browser follows. */
export const watching = createStore(NOTHING, load())

export function changeWatching(change: (state: WatchState) => WatchState): void {
  // Reads the entry again, because another tab may have changed it.
  const before = load()
  const next = change(before)
  if (next === before) return
  writeStored(WATCHING_KEY, next)
  watching.set(next)
  window.dispatchEvent(new Event(WATCHING_CHANGED))
}

followStored(WATCHING_KEY, () => watching.set(load()))

export const listOwnIds = (): ReadonlySet<number> => new Set(ownPosts.get().map(({ id }) => id))

/** Watches a thread from the post `readId` on, or stops watching it. */
export function toggleWatched(thread: ThreadHead, readId: number): void {
  const { id, boardId, title } = thread
  const isWatched = load().threads.some((one) => one.id === id && one.isWatched)
  const ids = postIds()
  const unread = ids.filter((post) => post > readId)
  const read = {
    readId,
    readCount: ids.length - unread.length,
    firstUnreadId: unread.length > 0 ? Math.min(...unread) : null,
  }
  const found = { id, boardId, title, count: ids.length, newestId: Math.max(...ids), ...read }
  changeWatching((state) => (isWatched ? unwatch(state, id) : followThread(state, { ...found, isWatched: true })))
}

const unwatch = (state: WatchState, id: number) =>
  unwatchThread(
    state,
    id,
    ownPosts.get().some(({ threadId }) => threadId === id),
  )

export const stopWatching = (id: number): void => changeWatching((state) => unwatch(state, id))

type OwnPost = { id: number; boardId: string; threadId: number; title: string }

/** Follows the thread of a new post for replies. */
export function followOwnPost({ id, boardId, threadId, title }: OwnPost): void {
  changeWatching((state) =>
    noteOwnPost(state, id, {
      ...{ id: threadId, boardId, title },
      isWatched: state.watchesOwn,
      // The number of posts is asked for later.
      newestId: id,
      count: 1,
    }),
  )
}
