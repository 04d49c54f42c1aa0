import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BOARDS, callApi, createBoard, postComment, postThread, readThread } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

let site: TestSite
let admin: string
beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
})
afterAll(() => site.close())

const threadsOf = (boardId: string, query = '') => callApi(site, 'GET', `${BOARDS}/${boardId}/threads${query}`)

describe('boards', () => {
  test('lists no boards on an empty site', async () => {
    const fresh = await startSite()
    expect((await callApi(fresh, 'GET', BOARDS)).body).toEqual({ success: true, boards: [] })
    await fresh.close()
  })

  test('returns a new board with its slug and first moderator', async () => {
    const { body } = await callApi(site, 'POST', BOARDS, {
      token: admin,
      json: { name: '  Tech & Coding ', description: ' Ask away ', id: 'ignored', __proto__: { admin: true } },
    })
    const board = {
      id: 'tech-coding',
      name: 'Tech & Coding',
      description: 'Ask away',
      rules: '',
      threadLimit: 0,
      posterLabels: false,
      defaultName: '',
      latestReplies: 1,
      moderators: ['admin@example.org'],
    }
    expect(body).toEqual({ success: true, board })
    expect((await callApi(site, 'GET', BOARDS)).body.boards).toContainEqual(board)
  })

  test.each([
    ['Ünïcode Ñame', 'unicode-name'],
    ['日本語', 'board'],
    ['!!!', 'board-2'],
    ['a'.repeat(64), 'a'.repeat(32)],
    ['-- x --', 'x'],
  ])('derives from the name %s the slug %s', async (name, id) => {
    expect(await createBoard(site, name, admin)).toBe(id)
  })

  test('never reuses a slug, also for simultaneous boards', async () => {
    expect(await createBoard(site, 'Twice', admin)).toBe('twice')
    expect(await createBoard(site, 'Twice', admin)).toBe('twice-2')
    await callApi(site, 'DELETE', `${BOARDS}/twice-2`, { token: admin })
    expect(await createBoard(site, 'Twice', admin)).toBe('twice-3')
    const ids = await Promise.all(Array.from({ length: 5 }, () => createBoard(site, 'Race', admin)))
    expect(ids.sort()).toEqual(['race', 'race-2', 'race-3', 'race-4', 'race-5'])
  })

  test('requires name and description', async () => {
    for (const json of [{}, { name: 'x' }, { name: ' ', description: 'y' }, { name: 'x', description: '\n' }]) {
      const { status, body } = await callApi(site, 'POST', BOARDS, { token: admin, json })
      expect([status, body.error]).toEqual([400, 'Name and description are required'])
    }
  })

  test('deletes a board with all its content', async () => {
    const boardId = await createBoard(site, 'Gone', admin)
    const threadId = (await postThread(site, boardId)).body.thread.id
    expect((await callApi(site, 'DELETE', `${BOARDS}/${boardId}`, { token: admin })).body).toEqual({ success: true })
    for (const { status, body } of [
      await threadsOf(boardId),
      await readThread(site, boardId, threadId),
      await callApi(site, 'DELETE', `${BOARDS}/${boardId}`, { token: admin }),
      await postThread(site, boardId),
      await postComment(site, { boardId, threadId }),
    ]) {
      expect([status, body]).toEqual([404, { success: false, error: 'Board not found' }])
    }
  })
})

describe('threads', () => {
  test('returns a new thread completely, as later reads do', async () => {
    const boardId = await createBoard(site, 'Whole', admin)
    const { status, body } = await postThread(site, boardId, {
      title: ' A title ',
      content: 'First\r\nsecond',
      author: 'gl1tch',
      links: '["https://example.org/a?b=1#c"]',
    })
    expect(status).toBe(200)
    const { thread } = body
    expect(thread).toMatchObject({
      title: 'A title',
      content: 'First\nsecond',
      author: 'gl1tch',
      image: null,
      links: ['https://example.org/a?b=1#c'],
      comments: [],
      commentCount: 0,
    })
    expect(new Date(thread.createdAt).toISOString()).toBe(thread.createdAt)
    expect(thread.lastActivity).toBe(thread.createdAt)
    expect((await readThread(site, boardId, thread.id)).body).toEqual({ success: true, thread })
    expect((await threadsOf(boardId)).body).toEqual({ success: true, threads: [thread], nextCursor: null })
  })

  test('returns comments oldest first with replies, and the newest five, newest first, in lists', async () => {
    const boardId = await createBoard(site, 'Order', admin)
    const threadId = (await postThread(site, boardId)).body.thread.id
    const ids: number[] = []
    for (let number = 0; number < 7; number++) {
      ids.push((await postComment(site, { boardId, threadId }, { content: `comment ${number}` })).body.comment.id)
    }
    const commentId = ids[0] as number
    const reply = (await postComment(site, { boardId, threadId, commentId }, { content: 'reply' })).body.reply
    const { thread } = (await readThread(site, boardId, threadId)).body
    expect(thread.comments.map((comment: { id: number }) => comment.id)).toEqual(ids)
    expect(thread.comments[0].replies).toEqual([reply])
    expect([thread.commentCount, thread.replyCount]).toEqual([7, 1])
    expect(thread.lastActivity).toBe(reply.createdAt)
    const [listed] = (await threadsOf(boardId)).body.threads
    expect(listed.comments.map((comment: { id: number }) => comment.id)).toEqual(ids.slice(2).reverse())
    expect([listed.commentCount, listed.replyCount]).toEqual([7, 1])
  })

  test('bumps a thread on a comment, and takes the bump back on its deletion', async () => {
    const boardId = await createBoard(site, 'Bumps', admin)
    const first = (await postThread(site, boardId)).body.thread.id
    const second = (await postThread(site, boardId)).body.thread.id
    const order = async () => (await threadsOf(boardId)).body.threads.map((thread: { id: number }) => thread.id)
    expect(await order()).toEqual([second, first])
    const comment = (await postComment(site, { boardId, threadId: first })).body.comment.id
    expect(await order()).toEqual([first, second])
    await callApi(site, 'DELETE', `${BOARDS}/${boardId}/threads/${first}/comments/${comment}`, { token: admin })
    expect(await order()).toEqual([second, first])
    expect((await readThread(site, boardId, first)).body.thread.commentCount).toBe(0)
  })

  test('returns fifty per page; the cursor visits each thread once, also with equal times', async () => {
    const boardId = await createBoard(site, 'Pages', admin)
    const made: number[] = []
    site.setNow(new Date())
    for (let number = 0; number < 53; number++) made.push((await postThread(site, boardId)).body.thread.id)
    site.setNow(null)
    const first = (await threadsOf(boardId)).body
    expect(first.threads).toHaveLength(50)
    const second = (await threadsOf(boardId, `?cursor=${encodeURIComponent(first.nextCursor)}`)).body
    expect(second.nextCursor).toBeNull()
    const seen = [...first.threads, ...second.threads].map((thread: { id: number }) => thread.id)
    expect(seen).toEqual(made.reverse())
    expect((await threadsOf(boardId, '?cursor=')).body.threads[0].id).toBe(seen[0])
    for (const cursor of ['x', '-1-5', '1e9-2', '9'.repeat(300)]) {
      expect((await threadsOf(boardId, `?cursor=${cursor}`)).status).toBe(400)
    }
  })

  test('answers 404 for a deleted thread and its comments', async () => {
    const boardId = await createBoard(site, 'Deleted', admin)
    const threadId = (await postThread(site, boardId)).body.thread.id
    const comment = (await postComment(site, { boardId, threadId })).body.comment.id
    expect((await callApi(site, 'DELETE', `${BOARDS}/${boardId}/threads/${threadId}`, { token: admin })).status).toBe(
      200,
    )
    expect((await readThread(site, boardId, threadId)).body).toEqual({ success: false, error: 'Thread not found' })
    expect((await threadsOf(boardId)).body.threads).toEqual([])
    expect((await postComment(site, { boardId, threadId })).status).toBe(404)
    expect((await postComment(site, { boardId, threadId, commentId: comment })).status).toBe(404)
  })

  test('numbers threads, comments and replies of all boards in one sequence', async () => {
    const boardId = await createBoard(site, 'Numbers', admin)
    const other = await createBoard(site, 'Numbers', admin)
    const threadId = (await postThread(site, boardId)).body.thread.id
    const commentId = (await postComment(site, { boardId, threadId })).body.comment.id
    const reply = (await postComment(site, { boardId, threadId, commentId })).body.reply.id
    const next = (await postThread(site, other)).body.thread.id
    expect([commentId - threadId, reply - commentId, next - reply].every((step) => step >= 1)).toBe(true)
  })
})
