import { WATCHING_KEY } from '#src/contract/post.ts'
import type { ThreadHead } from '#src/contract/thread.ts'
import { postIds } from '#src/features/board/post/postElements.ts'
import { ownPosts } from '#src/features/board/writing/ownPosts.ts'
import { createStoredStore } from '#src/lib/storedStore.ts'
import { followThread, noteOwnPost, parseWatchState, unwatchThread, type WatchState } from './watchState.ts'

/** The threads and replies that this browser follows. */
export const watching = createStoredStore(WATCHING_KEY, parseWatchState)

export const listOwnIds = (): ReadonlySet<number> => new Set(ownPosts.get().map(({ id }) => id))

/** Watches a thread from the post `readId` on, or stops watching it. */
export function toggleWatched(thread: ThreadHead, readId: number): void {
  const { id, boardId, title } = thread
  const isWatched = watching.load().threads.some((one) => one.id === id && one.isWatched)
  const ids = postIds()
  const unread = ids.filter((post) => post > readId)
  const read = {
    readId,
    readCount: ids.length - unread.length,
    firstUnreadId: unread.length > 0 ? Math.min(...unread) : null,
  }
  const found = { id, boardId, title, count: ids.length, newestId: Math.max(...ids), ...read }
  watching.change((state) => (isWatched ? unwatch(state, id) : followThread(state, { ...found, isWatched: true })))
}

const unwatch = (state: WatchState, id: number) =>
  unwatchThread(
    state,
    id,
    ownPosts.get().some(({ threadId }) => threadId === id),
  )

export const stopWatching = (id: number): void => watching.change((state) => unwatch(state, id))

type OwnPost = { id: number; boardId: string; threadId: number; title: string }

/** Follows the thread of a new post for replies. */
export function followOwnPost({ id, boardId, threadId, title }: OwnPost): void {
  watching.change((state) =>
    noteOwnPost(state, id, {
      ...{ id: threadId, boardId, title },
      isWatched: state.watchesOwn,
      // The number of posts is asked for later.
      newestId: id,
      count: 1,
    }),
  )
}
