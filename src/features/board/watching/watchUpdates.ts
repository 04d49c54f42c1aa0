import type { PageEvent } from '#src/contract/events.ts'
import { type ThreadUpdate, type ThreadUpdates, watchLimits } from '#src/contract/watching.ts'
import type { FollowedThread, WatchState } from './watchState.ts'

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
