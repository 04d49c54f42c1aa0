import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { changeState } from '#server/features/board/states/changeState.ts'
import { siteActor } from '#server/features/moderation/log/log.ts'
import { callApi, createBoard, postComment, postThread } from '#tests/helpers/apiCalls.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const THREADS = isDeep ? 1000 : 100
/** Each thread has an opening post, five comments, and four replies to the first comment. */
const THREAD_POSTS = 10
const BATCH = 50
const FIRST_ID = 1_000_000

let site: TestSite
let admin: string
let boardId: string
beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
  boardId = await createBoard(site, 'Large', admin)
})
afterAll(() => site.close())

/** Removes threads. @returns the number of the log entry, and of posts */
const remove = (ids: number[]) =>
  writeAndPublish(site.app.services, async (tx) => {
    const record = { action: 'delete', actor: siteActor, boardId } as const
    const { logId, ids: removed } = await changeState(site.app.services, tx, ids, 'removed', { record })
    return { logId, count: removed.length }
  })
const restore = async (logId: number | null) =>
  (await callApi(site, 'POST', '/api/moderation/restore', { token: admin, json: { logId } })).body

/** Lets each connection plan the statements for tables that are almost empty. */
async function planForEmptyTables() {
  const threadId = (await postThread(site, boardId)).body.thread.id
  const commentId = (await postComment(site, { boardId, threadId })).body.comment.id
  await postComment(site, { boardId, threadId, commentId }, { content: `>>${threadId}` })
  for (let round = 0; round < 70; round++) await restore((await remove([threadId])).logId)
}

/**
 * Writes threads in which each post quotes the opening one. Few at a time, because the trigger that fills the search
 * index has a plan for empty tables too.
 */
async function writeThreads() {
  const { db } = site.app.services
  for (let first = 0; first < THREADS; first += BATCH) {
    const opened = sql`(select ${FIRST_ID}::int + n * ${THREAD_POSTS}::int as id
      from generate_series(${first}::int, ${first + BATCH - 1}::int) n) opened`
    await db.execute(sql`insert into thread (id, board_id, title, last_activity, comment_count, reply_count)
      select id, ${boardId}, 'A thread', now(), 5, 4 from ${opened}`)
    await db.execute(sql`insert into post (id, thread_id, parent_id, author, content, created_at)
      select id + n, id, case when n > 5 then id + 1 end, 'me', 'platypus ' || n || ' >>' || id, now()
      from ${opened}, generate_series(0, ${THREAD_POSTS - 1}::int) n order by n`)
  }
  await db.execute(
    sql`insert into quote select id, thread_id from post where id >= ${FIRST_ID}::int and id <> thread_id`,
  )
}

const readCounts = async () => {
  const [row] = await site.app.services.db.execute(sql`select
    (select count(*)::int from live_post where id >= ${FIRST_ID}::int) as posts,
    (select count(*)::int from quote where from_id >= ${FIRST_ID}::int) as quotes,
    (select count(*)::int from post_search where post_id >= ${FIRST_ID}::int) as words,
    (select sum(comment_count + reply_count)::int from thread where id >= ${FIRST_ID}::int) as answers,
    (select count(*)::int from thread where id >= ${FIRST_ID}::int and deleted_at is null) as threads`)
  return row
}

test('removes and restores thousands of posts in one action', async () => {
  await planForEmptyTables()
  await writeThreads()
  const posts = THREADS * THREAD_POSTS
  const answers = posts - THREADS
  const before = { posts, quotes: answers, words: posts, answers, threads: THREADS }
  expect(await readCounts()).toEqual(before)
  const { logId, count } = await remove(Array.from({ length: THREADS }, (_, n) => FIRST_ID + n * THREAD_POSTS))
  expect(count).toBe(posts)
  expect(await readCounts()).toEqual({ posts: 0, quotes: 0, words: 0, answers: 0, threads: 0 })
  expect(await restore(logId)).toMatchObject({ restored: posts, waiting: 0 })
  expect(await readCounts()).toEqual(before)
  const { hits } = (await callApi(site, 'GET', '/api/dtpchan/search?q=platypus')).body
  expect(hits[0].postId).toBe(FIRST_ID + posts - 1)
})
