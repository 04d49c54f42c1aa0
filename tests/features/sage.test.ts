import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ThreadView } from '#src/contract/thread.ts'
import { BOARDS, callApi, createBoard, postComment, postThread, readThread } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

let site: TestSite
let admin: string
let boardId: string
let old: number
let recent: number
beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
  boardId = await createBoard(site, 'Sage', admin)
  old = (await postThread(site, boardId)).body.thread.id
  recent = (await postThread(site, boardId)).body.thread.id
})
afterAll(() => site.close())

const order = async (): Promise<number[]> =>
  (await callApi(site, 'GET', `${BOARDS}/${boardId}/threads`)).body.threads.map(({ id }: ThreadView) => id)
const read = async (threadId = old) => (await readThread(site, boardId, threadId)).body.thread
const act = (postId: number, action: string) =>
  callApi(site, 'POST', '/api/moderation/act', { token: admin, json: { boardId, postId, action } })
const restore = (logId: number) => callApi(site, 'POST', '/api/moderation/restore', { token: admin, json: { logId } })

test('a comment and a reply that do not bump count, and leave the thread in its place', async () => {
  const { lastActivity } = await read()
  const saged = (await postComment(site, { boardId, threadId: old }, { sage: 'true' })).body.comment
  expect(saged.sage).toBe(true)
  const commentId = (await postComment(site, { boardId, threadId: old }, { sage: 'false' })).body.comment.id
  expect(await order()).toEqual([old, recent])
  await act(commentId, 'delete')
  expect(await order()).toEqual([recent, old])
  const reply = await postComment(site, { boardId, threadId: old, commentId: saged.id }, { sage: 'true' })
  expect([reply.status, reply.body.reply.sage]).toEqual([200, true])
  expect(await order()).toEqual([recent, old])
  expect(await read()).toMatchObject({ lastActivity, commentCount: 1, replyCount: 1, comments: [{ id: saged.id }] })
  const feed = await site.app.inject(`/dtpchan/board/${boardId}/thread/${old}/feed.atom`)
  expect(feed.body).toContain(`#p${saged.id}`)
})

test('a removed thread and its posts come back to their place', async () => {
  const before = await read()
  const { logId } = (await act(old, 'delete')).body
  await restore(logId)
  expect(await read()).toEqual(before)
  expect(await order()).toEqual([recent, old])
  const bumping = (await postComment(site, { boardId, threadId: old })).body.comment.id
  expect(await order()).toEqual([old, recent])
  await restore((await act(bumping, 'delete')).body.logId)
  expect(await order()).toEqual([old, recent])
  await act(bumping, 'delete')
})

test('a held post that does not bump keeps this when it is published', async () => {
  const filter = { kind: 'literal', value: 'doubtful', fields: ['post'], effect: 'hold' }
  await callApi(site, 'POST', '/api/moderation/filters', { token: admin, json: filter })
  const { comment, held } = (await postComment(site, { boardId, threadId: old }, { content: 'doubtful', sage: 'true' }))
    .body
  expect([held, comment.sage]).toEqual([true, true])
  await callApi(site, 'POST', `/api/moderation/held/${comment.id}/approve`, { token: admin })
  expect((await read()).comments.at(-1)).toMatchObject({ id: comment.id, sage: true })
  expect(await order()).toEqual([recent, old])
})

test('clients of 4chan and vichan learn of the post, and when the thread last changed', async () => {
  site.setNow(new Date(Date.now() + 60_000))
  const { createdAt } = (await postComment(site, { boardId, threadId: old }, { sage: 'true' })).body.comment
  site.setNow(null)
  const seconds = Math.floor(Date.parse(createdAt) / 1000)
  const get = async (path: string) => (await callApi(site, 'GET', `/${boardId}/${path}`)).body
  const [{ threads }] = await get('threads.json')
  expect(threads).toMatchObject([{ no: recent }, { no: old, last_modified: seconds }])
  const { posts } = await get(`thread/${old}.json`)
  expect([posts[0].last_modified, posts[0].email, posts.at(-1).email]).toEqual([seconds, undefined, 'sage'])
  const [{ threads: listed }] = await get('catalog.json')
  expect(listed).toMatchObject([{ no: recent }, { no: old, last_modified: seconds }])
})

test('refuses other values, and ignores the option for new threads', async () => {
  for (const sage of ['', 'yes', '1', 'x'.repeat(10_000)]) {
    const { status, body } = await postComment(site, { boardId, threadId: old }, { sage })
    expect({ status, ...body }).toEqual({ status: 400, success: false, error: 'sage must be true or false' })
  }
  const { thread } = (await postThread(site, boardId, { sage: 'true' })).body
  expect([thread.sage, (await order())[0]]).toEqual([false, thread.id])
})
