import type { PageEvent } from '#src/contract/events.ts'
import { type ThreadUpdate, type ThreadUpdates, watchLimits } from '#src/contract/watching.ts'

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
export type Reply = { id: number; threadId: number; isSeen: boolean }

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

/** Marks a thread as read up to a post. @param ids the posts of the thread, as far as its page knows them */
export const markRead = (state: WatchState, threadId: number, id: number, ids: readonly number[]): WatchState =>
  changeThread(state, threadId, (thread) => {
    const readId = Math.max(thread.readId, id)
    const unread = ids.filter((one) => one > readId)
    const newestId = Math.max(thread.newestId, ...ids)
    // An event can know a post before the page does.
    const isBehind = thread.newestId > Math.max(...ids)
    const next = {
      ...thread,
      readId,
      readCount: ids.length - unread.length,
      newestId,
      count: isBehind ? thread.count : ids.length,
      firstUnreadId: unread.length > 0 ? Math.min(...unread) : isBehind ? thread.firstUnreadId : null,
    }
    return JSON.stringify(next) === JSON.stringify(thread) ? thread : next
  })

export function seeReplies(state: WatchState, ids: readonly number[]): WatchState {
  if (!state.replies.some(({ id, isSeen }) => !isSeen && ids.includes(id))) return state
  return {
    ...state,
    replies: state.replies.map((reply) => (ids.includes(reply.id) ? { ...reply, isSeen: true } : reply)),
  }
}

/** Adds replies that are not known yet. Forgets the oldest ones beyond the limit. */
export function addReplies(state: WatchState, threadId: number, ids: readonly number[]): WatchState {
  const added = ids.filter((id) => state.replies.every((reply) => reply.id !== id))
  if (added.length === 0) return state
  const replies = [...added.map((id) => ({ id, threadId, isSeen: false })), ...state.replies]
  return { ...state, replies: replies.sort((one, other) => other.id - one.id).slice(0, watchLimits.replies) }
}

/** Applies the server's answer. Threads that it does not contain are gone. */
export function applyUpdates(
  state: WatchState,
  updates: ThreadUpdates,
  own: ReadonlySet<number>,
  now: number,
): WatchState {
  const found = new Map(updates.threads.map((update) => [update.id, update]))
  const threads = state.threads.map((thread): FollowedThread => {
    const update = found.get(thread.id)
    return update ? applyUpdate(thread, update) : { ...thread, state: 'gone' }
  })
  const next: WatchState = { ...state, threads, checkedAt: now, lastEventId: updates.lastEventId }
  return updates.threads.reduce(
    (changed, { id, unread }) =>
      addReplies(
        changed,
        id,
        unread.filter(isReplyTo(own)).map((post) => post.id),
      ),
    next,
  )
}

function applyUpdate(thread: FollowedThread, update: ThreadUpdate): FollowedThread {
  const { boardId, title, count, newestId, firstUnreadId, archived } = update
  // Another tab may have read on while the server answered.
  const isUnread = firstUnreadId !== null && firstUnreadId > thread.readId
  const known = { boardId, title, count, newestId, state: archived ? ('archived' as const) : ('live' as const) }
  // Deleted posts must not hide new ones.
  const readCount = isUnread ? Math.min(thread.readCount, count - 1) : count
  return { ...thread, ...known, readCount, firstUnreadId: isUnread ? firstUnreadId : null }
}

const isReplyTo =
  (own: ReadonlySet<number>) =>
  ({ id, answers }: { id: number; answers: readonly number[] }) =>
    !own.has(id) && answers.some((answered) => own.has(answered))

/** Applies an event of a followed thread. Applying it again has no effect. */
export function applyEvent(
  state: WatchState,
  { topic, change, post }: PageEvent,
  own: ReadonlySet<number>,
): WatchState {
  const threadId = Number(topic.replace('thread:', ''))
  if (change.kind === 'thread-gone') return changeThread(state, threadId, (thread) => ({ ...thread, state: 'gone' }))
  if (change.kind === 'thread-moved')
    return changeThread(state, threadId, (thread) => ({ ...thread, boardId: change.boardId }))
  if (change.kind !== 'post' || !post) return state
  const { parentId, view, commentCount, replyCount, archived } = post
  const { id } = view
  const changed = changeThread(state, threadId, (thread) => ({
    ...thread,
    state: archived ? 'archived' : 'live',
    count: 1 + commentCount + replyCount,
    newestId: Math.max(thread.newestId, id),
    firstUnreadId: thread.firstUnreadId ?? (id > thread.newestId && !own.has(id) ? id : null),
  }))
  const isNew = state.threads.some((thread) => thread.id === threadId && id > thread.newestId)
  const answers = [...view.quotes.map((quoted) => quoted.id), ...(parentId === null ? [] : [parentId])]
  return isNew && isReplyTo(own)({ id, answers }) ? addReplies(changed, threadId, [id]) : changed
}

/** Notes that this browser sent a post: neither the post nor a reply in it is new to the visitor. */
export function noteOwnPost(state: WatchState, id: number, found: Found): WatchState {
  const next = followThread(state, found)
  return { ...next, replies: next.replies.filter((reply) => reply.id !== id) }
}

function changeThread(
  state: WatchState,
  threadId: number,
  change: (thread: FollowedThread) => FollowedThread,
): WatchState {
  const before = state.threads.find(({ id }) => id === threadId)
  const after = before && change(before)
  if (!after || after === before) return state
  return { ...state, threads: state.threads.map((thread) => (thread === before ? after : thread)) }
}
