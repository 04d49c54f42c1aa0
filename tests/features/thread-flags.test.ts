import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { thread } from '#db/schema/index.ts'
import { changeModerator } from '#server/features/board/boards/boardChanges.ts'
import type { CommentView } from '#src/contract/post.ts'
import type { ThreadView } from '#src/contract/thread.ts'
import {
  BOARDS,
  callApi,
  createBoard,
  type Fields,
  postComment,
  postThread,
  readThread,
  solveChallenge,
} from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

let site: TestSite
let admin: string
let boardId: string
let threadId: number
beforeAll(async () => {
  site = await startSite({ THREAD_POST_LIMIT: '4' })
  admin = await site.createToken('admin@example.org', 'admin')
  boardId = await createBoard(site, 'Flags', admin)
})
afterAll(() => site.close())
beforeEach(async () => {
  threadId = (await postThread(site, boardId)).body.thread.id
})

const act = (action: string, postId = threadId, token = admin) =>
  callApi(site, 'POST', '/api/moderation/act', { token, json: { boardId, postId, action } })
const comment = async (fields: Fields = {}, commentId?: number): Promise<CommentView> => {
  const { body } = await postComment(site, { boardId, threadId, ...(commentId && { commentId }) }, fields)
  return body.comment ?? body.reply
}
const read = async (): Promise<ThreadView> => (await readThread(site, boardId, threadId)).body.thread
const shown = async () =>
  (await read()).comments.map(({ id, replies }) => (replies.length > 0 ? [id, ...replies.map((one) => one.id)] : id))

describe.each([
  ['bumplock', 'unbumplock', 'bumplocked'],
  ['cycle', 'uncycle', 'cyclical'],
] as const)('%s', (set, unset, flag) => {
  test('is for moderators of the board and for threads, and is in the log once', async () => {
    const token = await site.createToken(`${set}@example.org`)
    expect((await act(set, threadId, token)).status).toBe(403)
    await changeModerator(site.app.services, boardId, 'add', `${set}@example.org`)
    const { id } = await comment()
    expect((await act(set, id, token)).status).toBe(400)
    expect((await act(set, threadId, token)).body).toMatchObject({ count: 1 })
    expect((await act(set, threadId, token)).body).toMatchObject({ count: 0, logId: null })
    expect((await read())[flag]).toBe(true)
    for (const path of [`${BOARDS}/${boardId}/threads`, `${BOARDS}/${boardId}/catalog`, '/api/dtpchan/threads']) {
      const { threads } = (await callApi(site, 'GET', path)).body
      expect(threads.find((one: ThreadView) => one.id === threadId)[flag]).toBe(true)
    }
    const { entries } = (await callApi(site, 'GET', '/api/moderation/log')).body
    expect(entries[0]).toMatchObject({ action: set, boardId })
    expect((await act(unset, threadId, token)).body).toMatchObject({ count: 1 })
    expect((await read())[flag]).toBe(false)
  })
})

describe('a bumplocked thread', () => {
  test('is not raised by comments, nor by restoring or deleting them', async () => {
    const first = await comment()
    await act('bumplock')
    const second = await comment()
    const third = await comment()
    expect((await read()).lastActivity).toBe(first.createdAt)
    const { logId } = (await act('delete', second.id)).body
    expect((await read()).lastActivity).toBe(first.createdAt)
    await callApi(site, 'POST', '/api/moderation/restore', { token: admin, json: { logId } })
    expect((await read()).lastActivity).toBe(first.createdAt)
    await act('delete', first.id)
    expect((await read()).lastActivity).toBe((await read()).createdAt)
    await act('unbumplock')
    const fourth = await comment()
    expect((await read()).lastActivity).toBe(fourth.createdAt)
    expect(third.sage).toBe(false)
  })
})

describe('a cyclical thread', () => {
  beforeEach(() => act('cycle'))

  test('removes its oldest comment instead of refusing a post', async () => {
    const comments = [await comment(), await comment(), await comment(), await comment()]
    const [, ...others] = comments.map(({ id }) => id)
    const fifth = await comment({ content: `>>${threadId}` })
    expect(await shown()).toEqual([...others, fifth.id])
    expect(await read()).toMatchObject({ commentCount: 4, replyCount: 0 })
    await act('uncycle')
    const refused = await postComment(site, { boardId, threadId })
    expect([refused.status, refused.body.error]).toEqual([409, 'This thread is full'])
  })

  test('keeps a comment while it has replies, and the new post always', async () => {
    const old = await comment()
    const reply = await comment({}, old.id)
    const second = await comment()
    const third = await comment()
    const fourth = await comment()
    expect(await shown()).toEqual([old.id, second.id, third.id, fourth.id])
    const late = await comment({}, old.id)
    expect(await shown()).toEqual([[old.id, late.id], third.id, fourth.id])
    expect(reply.id).toBeGreaterThan(old.id)
  })

  test('stays within its limit when many post at the same time, and nobody restores what went', async () => {
    const posted = await Promise.all(Array.from({ length: 8 }, () => comment()))
    const newest = posted.map(({ id }) => id).sort((a, b) => a - b)
    expect(await shown()).toEqual(newest.slice(-4))
    const states = await site.app.services.db.execute(
      `select state, log_id from post where thread_id = ${threadId} and state <> 'live'`,
    )
    expect(states).toEqual(Array(4).fill({ state: 'removed', log_id: null }))
  })

  test('tells the author of a post that it removed from one whose post a moderator removed', async () => {
    const oldest = (await postComment(site, { boardId, threadId })).body
    const removed = (await postComment(site, { boardId, threadId })).body
    await act('delete', removed.comment.id)
    for (let posted = 0; posted < 4; posted++) await comment()
    const statusOf = async ({ comment, deleteToken }: typeof oldest) =>
      (await callApi(site, 'GET', `/api/dtpchan/posts/${comment.id}/status?deleteToken=${deleteToken}`)).body
    expect(await statusOf(oldest)).toMatchObject({ status: 'removed', expired: true })
    expect(await statusOf(removed)).not.toHaveProperty('expired')
  })

  test('takes a post that is held without removing any', async () => {
    const before = [await comment(), await comment(), await comment(), await comment()].map(({ id }) => id)
    await callApi(site, 'POST', '/api/moderation/filters', {
      token: admin,
      json: { kind: 'literal', value: 'holdme', fields: ['post'], effect: 'hold' },
    })
    const held = await comment({ content: 'holdme' })
    expect(await shown()).toEqual(before)
    // Published later, it stays, though its number is lower than that of others.
    const newest = await comment()
    await callApi(site, 'POST', `/api/moderation/held/${held.id}/approve`, { token: admin })
    expect(await shown()).toEqual([...before.slice(2), held.id, newest.id])
    expect(await read()).toMatchObject({ commentCount: 4 })
  })

  test('removes as many posts as its texts are too long by', async () => {
    const { db, config } = site.app.services
    const sizeOf = async () =>
      (await db.select({ bytes: thread.byteCount }).from(thread).where(eq(thread.id, threadId)))[0]
    await comment()
    const before = await sizeOf()
    await comment()
    const size = Number((await sizeOf())?.bytes) - Number(before?.bytes)
    const third = await comment()
    await db
      .update(thread)
      .set({ byteCount: config.limits.threadBytes + size })
      .where(eq(thread.id, threadId))
    const newest = await comment()
    expect(await shown()).toEqual([third.id, newest.id])
  })

  test('is within its limit when removed posts are restored', async () => {
    const first = await comment()
    const { logId } = (await act('delete', first.id)).body
    const [, ...others] = [await comment(), await comment(), await comment(), await comment()].map(({ id }) => id)
    await callApi(site, 'POST', '/api/moderation/restore', { token: admin, json: { logId } })
    expect(await shown()).toEqual([first.id, ...others])
  })

  test('closes the reports of posts that it removes, except of illegal content', async () => {
    const [spam, illegal] = [await comment(), await comment()]
    const report = async (id: number, reason: string) => {
      const url = `/dtpchan/board/${boardId}/thread/${threadId}#p${id}`
      const json = { url, reason, ...(await solveChallenge(site)) }
      expect((await callApi(site, 'POST', '/api/moderation/reports', { json })).status).toBe(200)
    }
    await report(spam.id, 'spam')
    await report(illegal.id, 'illegal')
    for (let posted = 0; posted < 4; posted++) await comment()
    const { items } = (await callApi(site, 'GET', '/api/moderation/queue', { token: admin })).body
    expect(items.map(({ report }: { report: { reasons: object } }) => report.reasons)).toHaveLength(1)
    expect(JSON.stringify(items)).toContain('illegal')
  })
})
