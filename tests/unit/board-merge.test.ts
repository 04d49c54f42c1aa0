import { describe, expect, test } from 'vitest'
import type { EventPost, SiteEvent } from '#src/contract/events.ts'
import type { CommentView, PostView } from '#src/contract/post.ts'
import type { BoardPage, ThreadView } from '#src/contract/thread.ts'
import { type BoardList, mergeList, removeThread, showNewThreads } from '#src/features/board/lists/boardList.ts'
import { addPost, mergeEvent, removePost, upsertPost } from '#src/features/board/thread/merge.ts'
import { postIds } from '#src/features/board/thread/postIds.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 12, minute))

const post = (id: number, fields: Partial<PostView> = {}): PostView => ({
  id,
  author: 'ferrite',
  tripcode: null,
  posterLabel: null,
  sage: false,
  content: `post ${id}`,
  createdAt: at(id),
  image: null,
  picture: null,
  spoiler: false,
  links: [],
  quotes: [],
  quotedBy: [],
  ...fields,
})

const comment = (id: number, ...replies: number[]): CommentView => ({
  ...post(id),
  replies: replies.map((reply) => post(reply)),
})

const thread = (id: number, comments: CommentView[] = [], lastActivity = at(id)): ThreadView => ({
  ...post(id),
  boardId: 'tech',
  title: `thread ${id}`,
  lastActivity,
  commentCount: comments.length,
  replyCount: comments.reduce((sum, one) => sum + one.replies.length, 0),
  locked: false,
  pinned: false,
  bumplocked: false,
  cyclical: false,
  archived: false,
  comments,
})

const eventPost = (view: PostView, parentId: number | null, commentCount = 0, replyCount = 0): EventPost => ({
  parentId,
  view,
  commentCount,
  replyCount,
  lastActivity: at(30),
  locked: false,
  pinned: false,
  bumplocked: false,
  cyclical: false,
  archived: false,
})

describe('events of a thread', () => {
  const shown = thread(1, [comment(2, 4), comment(5)])

  test('inserts a new comment by its id, with the counts of the server', () => {
    const merged = upsertPost(shown, eventPost(post(3), null, 3, 1))

    expect(postIds(merged)).toEqual([1, 2, 4, 3, 5])
    expect(merged.commentCount).toBe(3)
    expect(merged.lastActivity).toEqual(at(30))
  })

  test('inserts a new reply into its comment', () => {
    expect(postIds(upsertPost(shown, eventPost(post(6), 5, 2, 2)))).toEqual([1, 2, 4, 5, 6])
  })

  test('changes a comment and keeps its replies', () => {
    const quotedBy = [{ id: 5, threadId: 1, boardId: 'tech' }]
    const merged = upsertPost(shown, eventPost(post(2, { quotedBy }), null, 2, 1))

    expect(merged.comments[0]?.quotedBy).toEqual(quotedBy)
    expect(merged.comments[0]?.replies.map((reply) => reply.id)).toEqual([4])
  })

  test('locks and pins the thread with the event of its opening post', () => {
    const event = { ...eventPost(post(1), null, 2, 1), locked: true, pinned: true }
    expect(upsertPost(shown, event)).toMatchObject({ locked: true, pinned: true })
  })

  test('changes the opening post and keeps title and comments', () => {
    const merged = upsertPost(shown, eventPost(post(1, { content: 'changed' }), null, 2, 1))

    expect(merged).toMatchObject({ title: 'thread 1', content: 'changed', commentCount: 2 })
    expect(postIds(merged)).toEqual(postIds(shown))
  })

  test('adds the visitor’s post once, also after its event', () => {
    const withComment = addPost(shown, post(6), null)
    expect(withComment).toMatchObject({ commentCount: 3, replyCount: 1, lastActivity: at(6) })
    expect(postIds(withComment)).toEqual([1, 2, 4, 5, 6])
    expect(addPost(withComment, post(6), null)).toBe(withComment)
    expect(addPost(shown, post(6), 5)).toMatchObject({ commentCount: 2, replyCount: 2 })
    expect(postIds(addPost(shown, post(6), 5))).toEqual([1, 2, 4, 5, 6])
  })

  test('counts the visitor’s post once if the event of another post counted it', () => {
    const withOther = upsertPost(shown, eventPost(post(7), null, 4, 1))
    expect(addPost(withOther, post(6), null)).toMatchObject({ commentCount: 4, replyCount: 1, lastActivity: at(30) })
    expect(postIds(addPost(withOther, post(6), null))).toEqual([1, 2, 4, 5, 6, 7])
  })

  test('ends the same whether the response or the event of a post comes first', () => {
    const own = post(6, { quotes: [1, 2, 4, 99].map((id) => ({ id, threadId: id === 99 ? 99 : 1, boardId: 'tech' })) })
    const mark = { id: 6, threadId: 1, boardId: 'tech' }
    const answered = addPost(shown, own, null)
    expect(answered.quotedBy).toEqual([mark])
    expect(answered.comments[0]?.quotedBy).toEqual([mark])
    expect(answered.comments[0]?.replies[0]?.quotedBy).toEqual([mark])
    expect(answered.comments[1]).toBe(shown.comments[1])
    const told = (thread: ThreadView) =>
      [eventPost(own, null, 3, 1), eventPost(post(1, { quotedBy: [mark] }), null, 3, 1)].reduce(upsertPost, thread)
    expect(told(answered)).toEqual(addPost(told(answered), own, null))
    expect(told(answered).quotedBy).toEqual(told(shown).quotedBy)
  })

  test('adds a backlink once if the event of the quoted post comes before the response', () => {
    const mark = { id: 6, threadId: 1, boardId: 'tech' }
    const quoted = upsertPost(shown, eventPost(post(1, { quotedBy: [mark] }), null, 3, 1))
    const own = post(6, { quotes: [{ id: 1, threadId: 1, boardId: 'tech' }] })
    expect(addPost(quoted, own, null).quotedBy).toEqual([mark])
  })

  test('removes a comment with its replies', () => {
    expect(removePost(shown, 2)).toMatchObject({ commentCount: 1, replyCount: 0, lastActivity: at(5) })
    expect(postIds(removePost(shown, 2))).toEqual([1, 5])
  })

  test('removes a reply', () => {
    expect(removePost(shown, 4)).toMatchObject({ commentCount: 2, replyCount: 0 })
  })

  test.each<[string, SiteEvent]>([
    ['a comment', { topic: 'thread:1', change: { kind: 'post', postId: 9 }, post: eventPost(post(9), null, 3, 1) }],
    ['a reply', { topic: 'thread:1', change: { kind: 'post', postId: 9 }, post: eventPost(post(9), 5, 2, 2) }],
    ['a deletion', { topic: 'thread:1', change: { kind: 'post-gone', postId: 2, parentId: null } }],
  ])('%s twice is the same as once', (_name, event) => {
    const once = mergeEvent(shown, event)
    expect(mergeEvent(once, event)).toEqual(once)
  })

  test('ignores the deletion of a missing post', () => {
    expect(mergeEvent(shown, { topic: 'thread:1', change: { kind: 'post', postId: 9 } })).toBe(shown)
    expect(postIds(upsertPost(shown, eventPost(post(9), 8, 2, 1)))).toEqual(postIds(shown))
    expect(removePost(shown, 99)).toBe(shown)
  })
})

describe('refetched pages of a board', () => {
  const board = {
    id: 'tech',
    name: 'Technology',
    description: '',
    rules: '',
    threadLimit: 0,
    posterLabels: false,
    defaultName: '',
    latestReplies: 1,
    moderators: [],
  }
  const list = (threads: ThreadView[], nextCursor: string | null = null): BoardPage => ({
    board,
    threads: threads.map(({ comments: [newest], ...thread }) => ({
      ...thread,
      preview: thread.content,
      newest: newest ? { ...newest, preview: newest.content } : null,
    })),
    nextCursor,
    lastEventId: '0',
  })
  const shown: BoardList = { ...list([thread(2), thread(1)]), newThreads: [] }
  const ids = (threads: { id: number }[]) => threads.map((one) => one.id)

  test('changes threads in their place and keeps new ones waiting', () => {
    const merged = mergeList(shown, list([thread(3), thread(1, [comment(4)], at(20)), thread(2)]), true)

    expect(ids(merged.threads)).toEqual([2, 1])
    expect(merged.threads[1]?.commentCount).toBe(1)
    expect(ids(merged.newThreads)).toEqual([3])
  })

  test('shows waiting threads by latest activity', () => {
    const merged = mergeList(shown, list([thread(3), thread(1, [], at(20)), thread(2)]), true)

    expect(ids(showNewThreads(merged, 50).threads)).toEqual([1, 3, 2])
    expect(showNewThreads(merged, 50).newThreads).toEqual([])
  })

  test('removes missing threads only if the page has all threads', () => {
    expect(ids(mergeList(shown, list([thread(2)]), true).threads)).toEqual([2])
    expect(ids(mergeList(shown, list([thread(2)], 'more'), true).threads)).toEqual([2, 1])
  })

  test('moves a thread that is pinned or no longer pinned', () => {
    const pinned = mergeList(shown, list([{ ...thread(1), pinned: true }, thread(2)]), true)
    expect(ids(pinned.threads)).toEqual([1, 2])
    expect(ids(mergeList(pinned, list([thread(2)], 'more'), true).threads)).toEqual([2, 1])
    const waiting = mergeList(shown, list([{ ...thread(9, [], at(0)), pinned: true }, thread(2), thread(1)]), true)
    expect(ids(showNewThreads(waiting, 50).threads)).toEqual([9, 2, 1])
  })

  test('keeps no threads waiting on later pages', () => {
    expect(mergeList(shown, list([thread(9), thread(2)]), false).newThreads).toEqual([])
  })

  test('removes a deleted thread, listed or waiting', () => {
    const merged = mergeList(shown, list([thread(3), thread(2), thread(1)]), true)

    expect(ids(removeThread(merged, 3).newThreads)).toEqual([])
    expect(ids(removeThread(merged, 1).threads)).toEqual([2])
  })
})
