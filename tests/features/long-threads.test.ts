import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportSite } from '#server/export/exportSite.ts'
import { BOARDS, callApi, createBoard, postThread } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const COMMENTS = 10_050
/** comments that fit into an answer, beside the opening post */
const READ = 9999

let site: TestSite
let boardId: string
let threadId: number
beforeAll(async () => {
  site = await startSite()
  boardId = await createBoard(site, 'Long', await site.createToken('admin@example.org', 'admin'))
  threadId = (await postThread(site, boardId, { content: 'first' })).body.thread.id
  const { db } = site.app.services
  await db.execute(sql`insert into post (id, thread_id, author, content, created_at)
    select ${threadId} + number, ${threadId}, 'a', 'comment ' || number, now() from generate_series(1, ${COMMENTS}) number`)
  await db.execute(sql`update thread set comment_count = ${COMMENTS} where id = ${threadId}`)
  // Each comment quotes the one before it.
  await db.execute(sql`insert into quote (from_id, to_id)
    select ${threadId} + number, ${threadId} + number - 1 from generate_series(1, ${COMMENTS}) number`)
})
afterAll(() => site.close())

test('a thread that is too long for a page shows its opening post and the newest comments', async () => {
  const { thread } = (await callApi(site, 'GET', `${BOARDS}/${boardId}/threads/${threadId}`)).body
  expect(thread).toMatchObject({ id: threadId, content: 'first', commentCount: COMMENTS })
  expect(thread.comments).toHaveLength(READ)
  expect(thread.comments[0]).toMatchObject({ content: `comment ${COMMENTS - READ + 1}` })
  expect(thread.comments.at(-1)).toMatchObject({ content: `comment ${COMMENTS}` })
  const json = (await site.app.inject(`/${boardId}/thread/${threadId}.json`)).json()
  expect(json.posts).toHaveLength(1 + READ)
})

test('an export has every comment of such a thread', async () => {
  const folder = join(await mkdtemp(join(tmpdir(), 'dtp-long-')), 'files')
  const counts = await exportSite(site.app.services, folder, {
    signal: new AbortController().signal,
    progress: () => {},
  })
  expect(counts.posts).toBe(1 + COMMENTS)
  const { posts } = JSON.parse(await readFile(join(folder, `${boardId}/thread/${threadId}.json`), 'utf8'))
  expect(posts).toHaveLength(1 + COMMENTS)
  await rm(dirname(folder), { recursive: true })
})
