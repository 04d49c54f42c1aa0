import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { insertSiteThread } from '#server/features/board/write/sitePosts.ts'
import { startRaid } from '#server/features/moderation/raids/startRaid.ts'
import { BOARDS, callApi, createBoard, readThread } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import { createVisitor, type Visitor } from '#tests/helpers/visitor.ts'

/** Posts of a raid, each from another network. */
const RAID_POSTS = 1200

let site: TestSite
let boardId: string
let start: number
beforeEach(async () => {
  site = await startSite({ RATE_LIMIT: 'on', RAID_POSTS_PER_MINUTE: '15' })
  boardId = await createBoard(site, 'Raided', await site.createToken('admin@example.org', 'admin'))
  start = Date.now() + 60_000
})
afterEach(() => site.close())

/** Sets the clock, in seconds since the first post of the raid. */
const setTime = (seconds: number) => site.setNow(new Date(start + seconds * 1000))

type Own = { id: number; deleteToken: string }
async function openThread(visitor: Visitor): Promise<Own> {
  const { thread, deleteToken } = (await visitor.postThread(boardId)).body
  return { id: thread.id, deleteToken }
}
async function comment(visitor: Visitor, threadId: number): Promise<Own> {
  const { comment, deleteToken } = (await visitor.postComment(boardId, threadId)).body
  return { id: comment.id, deleteToken }
}

/** Opens a thread as the site does for a show. */
async function openShowThread(): Promise<number> {
  const { services } = site.app
  const post = { author: 'ferrite', content: 'On air', links: [] }
  const id = await writeAndPublish(services, (tx) => insertSiteThread(services, tx, boardId, 'A show', post))
  return id ?? 0
}

/** Writes the comments of a raid within 20 seconds, from a network each. */
async function writeComments(threadId: number): Promise<void> {
  const { db } = site.app.services
  await db.execute(sql`insert into post (id, thread_id, author, content, created_at)
    select nextval('post_number'), ${threadId}, 'raider', 'spam', ${new Date(start).toISOString()}::timestamptz + n * interval '20 s' / ${RAID_POSTS}::int
    from generate_series(0, ${RAID_POSTS - 1}::int) n`)
  await db.execute(sql`insert into origin (kind, item_id, epoch_id, host, range)
    select 'post', post.id::text, (select max(id) from origin_epoch), sha256(('host' || post.id)::bytea), sha256(post.id::text::bytea)
    from post where author = 'raider'`)
  await db.execute(sql`update thread set comment_count = comment_count + ${RAID_POSTS}::int where id = ${threadId}`)
}
async function detectRaid() {
  setTime(25)
  await startRaid(site.app.services, site.app.services.now())
}

const countLive = async () => {
  const [row] = await site.app.services.db.execute(
    sql`select count(*)::int as count from live_post where author = 'raider'`,
  )
  return row?.count
}
const readStatus = async ({ id, deleteToken }: Own) =>
  (await callApi(site, 'GET', `/api/dtpchan/posts/${id}/status?deleteToken=${deleteToken}`)).body.status

test('holds all posts of a raid, but neither threads that other networks opened before nor those of the site', async () => {
  const author = createVisitor(site, '198.51.100.7')
  setTime(-10)
  const own = await openThread(author)
  const quiet = await openThread(createVisitor(site, '198.51.101.7'))
  setTime(1)
  const answer = await comment(author, own.id)
  const show = await openShowThread()
  await writeComments(own.id)
  await detectRaid()
  expect(await countLive()).toBe(0)
  const { thread } = (await readThread(site, boardId, own.id)).body
  expect(thread).toMatchObject({ id: own.id, commentCount: 0, comments: [] })
  for (const id of [quiet.id, show]) expect((await readThread(site, boardId, id)).status).toBe(200)
  expect([await readStatus(own), await readStatus(answer)]).toEqual(['published', 'held'])
})

test('holds the threads of a raid, but not one in which others wrote', async () => {
  setTime(0)
  const shared = await openThread(createVisitor(site, '10.1.0.1'))
  const alone = createVisitor(site, '10.2.0.1')
  const unanswered = await openThread(alone)
  const further = await comment(alone, unanswered.id)
  await writeComments(shared.id)
  await detectRaid()
  expect(await countLive()).toBe(0)
  expect((await readThread(site, boardId, unanswered.id)).status).toBe(404)
  expect([await readStatus(shared), await readStatus(unanswered), await readStatus(further)]).toEqual([
    'published',
    'held',
    'held',
  ])
  const { threads } = (await callApi(site, 'GET', `${BOARDS}/${boardId}/threads`)).body
  expect(threads.map(({ id }: Own) => id)).toEqual([shared.id])
})
