import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { post, thread } from '#db/schema/index.ts'
import { t } from '#src/i18n/t.ts'
import { createBoard, postComment, postThread, readThread, solveChallenge } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const alone = inject('database') === 'pglite'
const LIMIT = 30
const REFUSED = t('board.captchaRefused')

let site: TestSite
let boardId: string
beforeAll(async () => {
  site = await startSite({ THREAD_POST_LIMIT: String(LIMIT) })
  boardId = await createBoard(site, 'Posting', await site.createToken('admin@example.org', 'admin'))
})
afterAll(() => site.close())

const open = async () => (await postThread(site, boardId)).body.thread.id as number
const read = async (threadId: number) => (await readThread(site, boardId, threadId)).body.thread
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort()

test('numbers, counts and announces simultaneous posts in one order', async () => {
  const threadId = await open()
  const first = (await postComment(site, { boardId, threadId })).body.comment.id as number
  const contents = ['plain', `>>${threadId}`, 'plain', `>>${first}`]
  const answers = await Promise.all(
    contents.flatMap((content) => [
      postComment(site, { boardId, threadId }, { content }),
      postComment(site, { boardId, threadId, commentId: first }, { content }),
    ]),
  )
  expect(statuses(answers)).toEqual(Array(8).fill(200))
  const ids = answers.map(({ body }) => (body.comment ?? body.reply).id as number).sort((a, b) => a - b)
  const now = await read(threadId)
  expect(now).toMatchObject({ commentCount: 5, replyCount: 4 })
  const shown = now.comments.flatMap(({ id, replies }: { id: number; replies: { id: number }[] }) => [
    id,
    ...replies.map((reply) => reply.id),
  ])
  expect(shown.sort((a: number, b: number) => a - b)).toEqual([first, ...ids])
  expect(now.quotedBy).toHaveLength(2)
  const told = await site.app.services.db.execute<{ id: string }>(
    sql`select change ->> 'postId' as id from event where topic = ${`thread:${threadId}`} order by event.id`,
  )
  const own = told.map(({ id }) => Number(id)).filter((id) => id > first)
  expect(own).toEqual(ids)
})

test('accepts only the posts that fit into a thread, and uses up the captchas of the others', async () => {
  const threadId = await open()
  const { db } = site.app.services
  await db
    .update(thread)
    .set({ commentCount: LIMIT - 3 })
    .where(eq(thread.id, threadId))
  const captchas = await Promise.all(Array.from({ length: 8 }, () => solveChallenge(site)))
  const answers = await Promise.all(captchas.map((captcha) => postComment(site, { boardId, threadId }, captcha)))
  expect(statuses(answers)).toEqual([...Array(3).fill(200), ...Array(5).fill(409)])
  expect((await db.select().from(post).where(eq(post.threadId, threadId))).length).toBe(1 + 3)
  const elsewhere = await open()
  const again = await Promise.all(
    captchas.map((captcha) => postComment(site, { boardId, threadId: elsewhere }, captcha)),
  )
  expect(again.map(({ body }) => body.error)).toEqual(Array(8).fill(REFUSED))
})

test('rejects a used captcha before a missing board or thread', async () => {
  const threadId = await open()
  const used = await solveChallenge(site)
  expect((await postComment(site, { boardId, threadId }, used)).status).toBe(200)
  for (const content of ['plain', `>>${threadId}`]) {
    const answer = await postComment(site, { boardId, threadId: 999_999 }, { content, ...used })
    expect([answer.status, answer.body.error]).toEqual([400, REFUSED])
    const gone = await postComment(
      site,
      { boardId: 'no--board', threadId },
      { content, ...(await solveChallenge(site)) },
    )
    expect([gone.status, gone.body.error]).toEqual([404, 'Board not found'])
  }
})

test('rejects a thread of another board and a comment of another thread', async () => {
  const [here, other] = [await open(), await open()]
  const elsewhere = await createBoard(site, 'Elsewhere', await site.createToken('admin@example.org', 'admin'))
  const comment = (await postComment(site, { boardId, threadId: other })).body.comment.id as number
  const reply = (await postComment(site, { boardId, threadId: other, commentId: comment })).body.reply.id as number
  const refusals = [
    await postComment(site, { boardId: elsewhere, threadId: here }),
    ...(await Promise.all(
      [comment, reply, here].map((commentId) => postComment(site, { boardId, threadId: here, commentId })),
    )),
  ]
  expect(refusals.map(({ status, body }) => [status, body.error])).toEqual([
    [404, 'Thread not found'],
    ...Array(3).fill([404, 'Comment not found']),
  ])
  expect(await read(here)).toMatchObject({ commentCount: 0, replyCount: 0 })
})

// The embedded database runs one transaction at a time, so a reply cannot wait for a lock.
test.skipIf(alone)('rejects a reply whose comment is deleted while it waits (PostgreSQL only)', async () => {
  const threadId = await open()
  const commentId = (await postComment(site, { boardId, threadId })).body.comment.id as number
  const { db } = site.app.services
  const waiting = sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%reply_count%'`
  const answers = ['plain', `>>${threadId}`].map((content) => ({ content }))
  const replies = await db.transaction(async (tx) => {
    await tx.select().from(thread).where(eq(thread.id, threadId)).for('update')
    const sent = answers.map((fields) => postComment(site, { boardId, threadId, commentId }, fields))
    await expect.poll(async () => (await db.execute(waiting)).length).toBe(2)
    await tx.delete(post).where(eq(post.id, commentId))
    return { sent }
  })
  for (const { status, body } of await Promise.all(replies.sent)) {
    expect([status, body.error]).toEqual([404, 'Comment not found'])
  }
  expect(await read(threadId)).toMatchObject({ replyCount: 0 })
})
