import { describe, expect, test } from 'vitest'
import type { PageEvent } from '#src/contract/events.ts'
import { watchLimits } from '#src/contract/watching.ts'
import { readUpTo } from '#src/features/board/reading/followReading.ts'
import { findReplies, markRules } from '#src/features/board/watching/ThreadWatching.tsx'
import {
  countUnread,
  followThread,
  noteOwnPost,
  parseWatchState,
  unwatchThread,
  type WatchState,
} from '#src/features/board/watching/watchState.ts'
import {
  addReplies,
  applyEvent,
  applyUpdates,
  markRead,
  seeReplies,
} from '#src/features/board/watching/watchUpdates.ts'

const NOTHING: WatchState = {
  threads: [],
  replies: [],
  watchesOwn: false,
  hasAlerts: false,
  checkedAt: 0,
  lastEventId: '0',
}

const OWN = new Set([11])
const found = (id: number, isWatched = true) => ({
  id,
  boardId: 'tech',
  title: `Thread ${id}`,
  count: 3,
  newestId: id + 2,
  isWatched,
})
const watching = followThread(NOTHING, found(10))
const threadOf = ({ threads }: WatchState, id = 10) => threads.find((thread) => thread.id === id)
const unreadOf = (state: WatchState, id = 10) => {
  const thread = threadOf(state, id)
  return thread && countUnread(thread)
}

const postEvent = (id: number, quotes: number[] = [], parentId: number | null = null, commentCount = 3) =>
  ({
    topic: 'thread:10',
    change: { kind: 'post', postId: id },
    post: {
      parentId,
      view: { id, quotes: quotes.map((quoted) => ({ id: quoted, threadId: 10, boardId: 'tech' })) },
      ...{ commentCount, replyCount: 0, archived: false },
    },
  }) as unknown as PageEvent
const update = (fields: object) => ({
  threads: [
    {
      ...{ id: 10, boardId: 'tech', title: 'Renamed', archived: false, count: 5, newestId: 20, firstUnreadId: 15 },
      unread: [
        { id: 20, answers: [11] },
        { id: 15, answers: [] },
      ],
      ...fields,
    },
  ],
  lastEventId: '77',
})

describe('a followed thread', () => {
  test('begins without unread posts, and counts later ones', () => {
    expect(unreadOf(watching)).toBe(0)
    const later = applyEvent(watching, postEvent(15), OWN)
    expect(unreadOf(later)).toBe(1)
    expect(threadOf(later)?.firstUnreadId).toBe(15)
    const twice = applyEvent(applyEvent(later, postEvent(15), OWN), postEvent(16, [], null, 4), OWN)
    expect(unreadOf(twice)).toBe(2)
    expect(threadOf(twice)?.firstUnreadId).toBe(15)
  })

  test('has no unread posts after the visitor has read it', () => {
    const ids = [10, 11, 12, 15]
    const read = markRead(applyEvent(watching, postEvent(15), OWN), 10, 15, ids)
    expect(unreadOf(read)).toBe(0)
    expect(threadOf(read)?.firstUnreadId).toBeNull()
    expect(markRead(read, 10, 15, ids)).toBe(read)
    expect(markRead(read, 10, 11, ids)).toBe(read)
  })

  test('keeps the posts unread that were not on screen', () => {
    const read = markRead(watching, 10, 14, [10, 11, 12, 14, 16, 18])
    expect(unreadOf(read)).toBe(2)
    expect(threadOf(read)).toMatchObject({ readId: 14, firstUnreadId: 16, newestId: 18 })
  })

  test.each([
    ['up to the lowest post that was on screen', [1, 2, 3, 4], 2, 3],
    ['to the end', [1, 2, 3, 4], 3, 4],
    ['not up to a new reply above older posts', [1, 2, 9, 3, 4], 2, 2],
    ['with that reply once the older posts are read', [1, 2, 9, 3, 4], 4, 9],
    ['up to the opening post at least', [1], 0, 1],
  ])('is read %s', (_name, ids, last, readId) => expect(readUpTo(ids, last)).toBe(readId))

  test('takes over what the server answers', () => {
    const state = applyUpdates(watching, update({}), OWN, 5)
    expect(threadOf(state)).toMatchObject({ title: 'Renamed', firstUnreadId: 15, state: 'live' })
    expect(unreadOf(state)).toBe(2)
    expect(state).toMatchObject({ checkedAt: 5, lastEventId: '77' })
  })

  test('keeps what another tab has read while the server answered', () => {
    const read = markRead(watching, 10, 20, [10, 11, 12, 15, 20])
    expect(unreadOf(applyUpdates(read, update({}), OWN, 5))).toBe(0)
  })

  test('counts new posts even if as many were deleted', () => {
    expect(unreadOf(applyUpdates(watching, update({ count: 3 }), OWN, 5))).toBe(1)
  })

  test('is shown as archived, as gone, and as live again', () => {
    const archived = applyUpdates(watching, update({ archived: true }), OWN, 5)
    expect(threadOf(archived)?.state).toBe('archived')
    const gone = applyUpdates(archived, { threads: [], lastEventId: '78' }, OWN, 6)
    expect(threadOf(gone)?.state).toBe('gone')
    expect(threadOf(applyUpdates(gone, update({}), OWN, 7))?.state).toBe('live')
    const event = { topic: 'thread:10', change: { kind: 'thread-gone', threadId: 10 } } as PageEvent
    expect(threadOf(applyEvent(watching, event, OWN))?.state).toBe('gone')
  })

  test('is listed on the board to which it moves', () => {
    const event = { topic: 'thread:10', change: { kind: 'thread-moved', threadId: 10, boardId: 'music' } } as PageEvent
    expect(threadOf(applyEvent(watching, event, OWN))?.boardId).toBe('music')
  })

  test('is forgotten when it is not watched any more, unless the visitor posted in it', () => {
    expect(unwatchThread(watching, 10, false).threads).toEqual([])
    expect(unwatchThread(watching, 10, true).threads).toMatchObject([{ id: 10, isWatched: false }])
  })

  test('makes room for another one: those that are only followed for replies go first', () => {
    let state = followThread(NOTHING, found(1000, false))
    for (let id = 1; id <= watchLimits.threads - 1; id++) state = followThread(state, found(id))
    expect(state.threads).toHaveLength(watchLimits.threads)
    state = followThread(state, found(2000))
    expect(threadOf(state, 1000)).toBeUndefined()
    expect(threadOf(state, 1)).toBeDefined()
    state = followThread(state, found(2001))
    expect(state.threads).toHaveLength(watchLimits.threads)
    expect(threadOf(state, 1)).toBeUndefined()
    expect(threadOf(state, 2001)).toBeDefined()
  })
})

describe('replies', () => {
  test.each([
    ['quotes', postEvent(15, [11])],
    ['replies to', postEvent(15, [], 11)],
  ])('a post that %s an own post is counted until it is seen', (_name, event) => {
    const state = applyEvent(watching, event, OWN)
    expect(state.replies).toEqual([{ id: 15, threadId: 10, isSeen: false }])
    expect(applyEvent(state, event, OWN).replies).toHaveLength(1)
    expect(seeReplies(state, [15]).replies).toEqual([{ id: 15, threadId: 10, isSeen: true }])
  })

  test('are found in the answer of the server', () => {
    expect(applyUpdates(watching, update({}), OWN, 5).replies).toEqual([{ id: 20, threadId: 10, isSeen: false }])
  })

  test('do not include own posts, or changes of old posts', () => {
    expect(applyEvent(watching, postEvent(15, [11]), new Set([11, 15])).replies).toEqual([])
    expect(applyEvent(watching, postEvent(12, [11]), OWN).replies).toEqual([])
    const early = applyEvent(watching, postEvent(15, [11]), OWN)
    expect(noteOwnPost(early, 15, found(10, false)).replies).toEqual([])
  })

  test('are bounded: the newest ones are kept', () => {
    const ids = Array.from({ length: watchLimits.replies + 5 }, (_, id) => id + 1)
    const { replies } = addReplies(NOTHING, 10, ids)
    expect(replies).toHaveLength(watchLimits.replies)
    expect(replies[0]?.id).toBe(ids.length)
  })
})

test.each([
  null,
  7,
  'text',
  [],
  { threads: 'x', replies: {}, checkedAt: 'now' },
  { threads: [null, { id: 1 }, { id: 'x' }], replies: [null, { id: 1.5, threadId: 2 }] },
])('ignores what is not a state in the storage: %j', (stored) => {
  expect(parseWatchState(stored)).toEqual(NOTHING)
})

test('restores a stored state', () => {
  const state = applyEvent(watching, postEvent(15, [11]), OWN)
  expect(parseWatchState(JSON.parse(JSON.stringify(state)))).toEqual(state)
})

describe('marks', () => {
  const posts = [
    { id: 10, parentId: null, quotes: [] },
    { id: 11, parentId: null, quotes: [] },
    { id: 13, parentId: 11, quotes: [] },
    { id: 14, parentId: 11, quotes: [12] },
    { id: 12, parentId: null, quotes: [10] },
    { id: 15, parentId: 12, quotes: [11, 12] },
  ]

  test('are for posts that quote or answer own posts, and are by others', () => {
    expect(findReplies(posts, new Set([11]))).toEqual([13, 14, 15])
    expect(findReplies(posts, new Set([10, 11, 13]))).toEqual([14, 12, 15])
    expect(findReplies(posts, new Set())).toEqual([])
  })

  test('need no rules without own posts', () => {
    expect(markRules([], [])).toEqual([])
    expect(markRules([5], [])[0]).toContain('a[href$="#p5"]')
    expect(markRules([5], [6]).join()).toContain('#p6 > ')
  })
})
