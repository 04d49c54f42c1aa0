import { setTimeout as sleep } from 'node:timers/promises'
import { inArray } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DatabaseHandle, openDatabase } from '#db/client.server.ts'
import { job } from '#db/schema/index.ts'
import { startJobs } from '#server/core/jobs/jobRunner.ts'
import { jobs } from '#server/jobs.ts'
import { createBoard, postComment, postThread, readThread, solveChallenge } from '#tests/helpers/apiCalls.ts'
import { type DatabaseProxy, startDatabaseProxy } from '#tests/helpers/databaseProxy.ts'
import { type TestDatabase, testDatabase } from '#tests/helpers/databases.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const POLL_SECONDS = 0.5

let place: TestDatabase
let proxy: DatabaseProxy
let database: DatabaseHandle
let site: TestSite
let boardId: string
let threadId: number
beforeAll(async () => {
  place = await testDatabase()
  proxy = await startDatabaseProxy(place.databaseUrl ?? '')
  database = await openDatabase({ databaseUrl: proxy.url, dataDir: place.dataDir })
  site = await startSite({ RATE_LIMIT: 'on', RAID_POSTS_PER_MINUTE: '100', TRUST_PROXY: '127.0.0.1' }, { database })
  boardId = await createBoard(site, 'Counted', await site.createToken('admin@example.org', 'admin'))
  threadId = (await postThread(site, boardId)).body.thread.id
  // The first comment reads what the process keeps.
  await postComment(site, { boardId, threadId })
})
afterAll(async () => {
  await site.close()
  await database.close()
  await proxy.close()
  await place.cleanup()
})

async function count(run: () => Promise<unknown>): Promise<number> {
  const before = proxy.statements()
  await run()
  return proxy.statements() - before
}

test('a captcha, a comment and a thread cost few statements', async () => {
  expect(await count(() => solveChallenge(site))).toBe(1)
  // With its captcha.
  expect(await count(() => postComment(site, { boardId, threadId }))).toBe(3)
  expect(await count(() => readThread(site, boardId, threadId))).toBe(3)
})

test('jobs without work cost one statement together', async () => {
  const frequent = jobs.filter(({ intervalSeconds }) => intervalSeconds < 300)
  expect(frequent.filter(({ dueAt }) => !dueAt).map(({ name }) => name)).toEqual([])
  const hasty = frequent.map((one) => ({ ...one, delaySeconds: 0, intervalSeconds: 0.1 }))
  const times = { lease: 60, maxRun: 60, grace: 5, poll: POLL_SECONDS }
  const runner = startJobs(site.app.services, hasty, times)
  try {
    const names = hasty.map(({ name }) => name)
    await expect
      .poll(async () => (await site.app.services.db.select().from(job).where(inArray(job.name, names))).map(isOver))
      .toEqual(names.map(() => true))
    expect(await count(() => sleep(4 * POLL_SECONDS * 1000))).toBeLessThanOrEqual(6)
  } finally {
    await runner.close()
  }
})

const isOver = ({ endedAt, startedAt }: typeof job.$inferSelect) => endedAt !== null && endedAt >= startedAt
