import { describe, expect, test } from 'vitest'
import type { CommentView, PostView } from '#src/contract/post.ts'
import type { BoardPage, ThreadView } from '#src/contract/thread.ts'
import { type BoardList, mergeList, removeThread, showNewThreads } from '#src/features/board/lists/boardList.ts'

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
