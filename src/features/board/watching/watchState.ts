import { watchLimits } from '#src/contract/watching.ts'

/** A thread that this browser follows. */
export type FollowedThread = {
  id: number
  boardId: string
  title: string
  /** false: followed only for replies to this browser's posts, and not listed */
  isWatched: boolean
  /** the newest post that the visitor has seen, and the number of posts then */
  readId: number
  readCount: number
  newestId: number
  count: number
  firstUnreadId: number | null
  state: 'live' | 'archived' | 'gone'
}

/** A reply to a post of this browser. */
type Reply = { id: number; threadId: number; isSeen: boolean }

export type WatchState = {
  /** the latest followed first */
  threads: readonly FollowedThread[]
  /** newest first */
  replies: readonly Reply[]
  /** threads that the visitor posts in are watched too */
  watchesOwn: boolean
  /** this browser gets alerts by Web Push */
  hasAlerts: boolean
  /** when the server was asked, in ms since 1970, and the newest event then */
  checkedAt: number
  lastEventId: string
}

/** Returns the state in a storage entry, which any script on this origin can write. */
export function parseWatchState(stored: unknown): WatchState {
  const { threads, replies, watchesOwn, hasAlerts, checkedAt, lastEventId } = (stored ?? {}) as Partial<
    Record<keyof WatchState, unknown>
  >
  return {
    threads: Array.isArray(threads) ? threads.filter(isFollowedThread).slice(0, watchLimits.threads) : [],
    replies: Array.isArray(replies) ? replies.filter(isReply).slice(0, watchLimits.replies) : [],
    watchesOwn: watchesOwn === true,
    hasAlerts: hasAlerts === true,
    checkedAt: typeof checkedAt === 'number' ? checkedAt : 0,
    lastEventId: typeof lastEventId === 'string' ? lastEventId : '0',
  }
}

type Unknown<T> = Partial<Record<keyof T, unknown>> | null
const isFollowedThread = (value: Unknown<FollowedThread>): value is FollowedThread =>
  [value?.id, value?.readId, value?.readCount, value?.newestId, value?.count].every(Number.isSafeInteger) &&
  [value?.boardId, value?.title].every((text) => typeof text === 'string') &&
  ['live', 'archived', 'gone'].includes(value?.state as string)
const isReply = (value: Unknown<Reply>): value is Reply => [value?.id, value?.threadId].every(Number.isSafeInteger)

/** Returns how many posts of a thread the visitor has not seen. */
export const countUnread = ({ count, readCount, newestId, readId }: FollowedThread): number =>
  newestId > readId ? Math.max(1, count - readCount) : 0

export const countUnseenReplies = ({ replies }: WatchState): number => replies.filter(({ isSeen }) => !isSeen).length

type Found = Pick<FollowedThread, 'id' | 'boardId' | 'title' | 'count' | 'newestId' | 'isWatched'> &
  Partial<Pick<FollowedThread, 'readId' | 'readCount' | 'firstUnreadId'>>

/**
 * Follows a thread, from its newest post on if nothing tells what the visitor has read. Watching a thread again keeps what
 * is known about it.
 */
export function followThread(state: WatchState, found: Found): WatchState {
  const before = state.threads.find(({ id }) => id === found.id)
  const { newestId, count } = found
  const added: FollowedThread = before
    ? { ...before, isWatched: before.isWatched || found.isWatched }
    : { readId: newestId, readCount: count, firstUnreadId: null, ...found, state: 'live' }
  const all = [added, ...state.threads.filter(({ id }) => id !== found.id)]
  // Threads that are only followed for replies make room first.
  const kept = all.filter(({ isWatched }, at) => at === 0 || isWatched).slice(0, watchLimits.threads)
  const rest = all.filter((one) => !kept.includes(one)).slice(0, watchLimits.threads - kept.length)
  return { ...state, threads: all.filter((one) => kept.includes(one) || rest.includes(one)) }
}

/** Stops watching a thread. @param isOwn the visitor posted in it: it stays followed for replies */
export function unwatchThread(state: WatchState, threadId: number, isOwn: boolean): WatchState {
  const threads = state.threads
    .map((thread) => (thread.id === threadId ? { ...thread, isWatched: false } : thread))
    .filter(({ id, isWatched, state: its }) => id !== threadId || isWatched || (isOwn && its !== 'gone'))
  return { ...state, threads }
}

/** Notes that this browser sent a post: neither the post nor a reply in it is new to the visitor. */
export function noteOwnPost(state: WatchState, id: number, found: Found): WatchState {
  const next = followThread(state, found)
  return { ...next, replies: next.replies.filter((reply) => reply.id !== id) }
}
