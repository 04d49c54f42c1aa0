import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { thread } from '#db/schema/index.ts'
import { type ThreadUpdate, watchLimits } from '#src/contract/watching.ts'
import { t } from '#src/i18n/t.ts'
import { BOARDS, callApi, createBoard, postComment, postThread } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

let site: TestSite
let admin: string
let boardId: string
beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
  boardId = await createBoard(site, 'Updates', admin)
})
afterAll(() => site.close())

const open = async (title = 'A title') => (await postThread(site, boardId, { title })).body.thread.id as number
const comment = async (threadId: number, content = 'text') =>
  (await postComment(site, { boardId, threadId }, { content })).body.comment.id as number
const reply = async (threadId: number, commentId: number) =>
  (await postComment(site, { boardId, threadId, commentId })).body.reply.id as number
const ask = (threads: string) => callApi(site, 'GET', `/api/dtpchan/updates?threads=${encodeURIComponent(threads)}`)
const updatesOf = async (threads: string): Promise<ThreadUpdate[]> => (await ask(threads)).body.threads

test('lists the posts after the newest one that the reader has seen, and what they answer', async () => {
  const threadId = await open('Followed')
  const first = await comment(threadId)
  const second = await comment(threadId, `>>${first} and >>${threadId}`)
  const answer = await reply(threadId, first)
  const { status, body } = await ask(`${threadId}:${first}`)
  expect(status).toBe(200)
  const [update] = body.threads
  expect(update).toMatchObject({
    ...{ id: threadId, boardId, title: 'Followed', archived: false, count: 4 },
    ...{ newestId: answer, firstUnreadId: second },
  })
  expect(update.unread.map(({ id }: { id: number }) => id)).toEqual([answer, second])
  expect(update.unread[0].answers).toEqual([first])
  expect(update.unread[1].answers.sort()).toEqual([threadId, first])
  expect(Number(body.lastEventId)).toBeGreaterThan(0)
})

test('has nothing unread for a reader who has seen the newest post', async () => {
  const threadId = await open()
  const newest = await comment(threadId)
  expect(await updatesOf(`${threadId}:${newest}`)).toMatchObject([
    { newestId: newest, firstUnreadId: null, unread: [] },
  ])
  expect(await updatesOf(String(threadId))).toMatchObject([{ firstUnreadId: threadId }])
})

test('bounds the listed posts, not their number', async () => {
  const threadId = await open()
  for (let times = 0; times < watchLimits.answers + 3; times++) await comment(threadId)
  const [update] = await updatesOf(`${threadId}:${threadId}`)
  expect(update?.count).toBe(watchLimits.answers + 4)
  expect(update?.unread).toHaveLength(watchLimits.answers)
  expect(update?.unread[0]?.id).toBe(update?.newestId)
})

test('leaves out deleted threads and unknown ones, and shows archived ones', async () => {
  const [gone, archived] = [await open(), await open()]
  await callApi(site, 'DELETE', `${BOARDS}/${boardId}/threads/${gone}`, { token: admin })
  await site.app.services.db.update(thread).set({ archivedAt: new Date() }).where(eq(thread.id, archived))
  const updates = await updatesOf(`${gone},${archived},999999999999999`)
  expect(updates.map(({ id, archived: isArchived }) => [id, isArchived])).toEqual([[archived, true]])
})

test.each([
  '',
  'x',
  '1;2',
  '0',
  '-1',
  '1:',
  '1:x',
  '1,,2',
  '1'.repeat(16),
  `1:${'9'.repeat(16)}`,
  Array.from({ length: 51 }, (_, id) => id + 1).join(),
  '1,'.repeat(5000),
])('refuses a list that it cannot read: %#', async (threads) => {
  const { status, body } = await ask(threads)
  expect([status, body.error]).toEqual([400, t('board.watchThreads')])
})

test('refuses a missing list and a repeated one', async () => {
  for (const query of ['', '?threads=1&threads=2']) {
    const { status, body } = await callApi(site, 'GET', `/api/dtpchan/updates${query}`)
    expect([status, body.error]).toEqual([400, t('board.watchThreads')])
  }
})
