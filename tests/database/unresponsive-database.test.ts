import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { type DatabaseHandle, openDatabase } from '#db/client.server.ts'
import { DatabaseTimeout, extendTransactionTimeout } from '#db/queryWatchdog.server.ts'
import { moderationLog } from '#db/schema/index.ts'
import { publicError } from '#server/core/errors.ts'
import { vacuumDatabase } from '#server/core/jobs/vacuum.ts'
import { BOARDS, callApi } from '#tests/helpers/apiCalls.ts'
import { type DatabaseProxy, startDatabaseProxy } from '#tests/helpers/databaseProxy.ts'
import { type TestDatabase, testDatabase } from '#tests/helpers/databases.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const alone = inject('database') === 'pglite'
/** production uses 20 s */
const ANSWER_MS = 700
const BEAT_MS = 300

let place: TestDatabase
let proxy: DatabaseProxy | undefined
let database: DatabaseHandle
let site: TestSite
beforeAll(async () => {
  place = await testDatabase()
  if (place.databaseUrl) proxy = await startDatabaseProxy(place.databaseUrl)
  database = await openDatabase({ ...place, databaseUrl: proxy?.url, timeoutMs: ANSWER_MS, heartbeatMs: BEAT_MS })
  site = await startSite({}, { database })
})
afterAll(async () => {
  await site.close()
  await database.close()
  await proxy?.close()
  await place.cleanup()
})

const napping = (seconds: number, timeoutMs?: number) =>
  database.db.transaction(async (tx) => {
    if (timeoutMs) await extendTransactionTimeout(tx, timeoutMs)
    await tx.execute(sql`insert into allowance values (${`after ${seconds}`}, 0)`)
    await tx.execute(sql`select pg_sleep(${seconds}::float8)`)
    return 'done'
  })
const written = async (key: string) =>
  (await database.db.execute(sql`select 1 from allowance where key = ${key}`)).length > 0

test('answers 503 for slow queries, rolls them back, and allows longer ones on request', async () => {
  expect(publicError(new DatabaseTimeout())).toMatchObject({ status: 503, retryAfter: 5, isServerFault: true })
  await expect(napping(1.1)).rejects.toThrow(DatabaseTimeout)
  await expect.poll(() => written('after 1.1').catch(() => null)).toBe(false)
  expect(await napping(1, 10_000)).toBe('done')
  expect(await written('after 1')).toBe(true)
})

test.skipIf(alone)('answers 503 when a query gets no answer in time (PostgreSQL only)', async () => {
  await expect(database.db.execute(sql`select pg_sleep(1.2)`)).rejects.toMatchObject({
    cause: expect.any(DatabaseTimeout),
  })
})

const cancelled = { cause: expect.objectContaining({ code: '57014' }) }

test.runIf(alone)('cancels a slow statement, and keeps nothing of it (embedded only)', async () => {
  const insert = sql`insert into allowance select 'slow ' || n, n from generate_series(1, 5000000) n`
  await expect(database.db.execute(insert)).rejects.toMatchObject(cancelled)
  expect(await written('slow 1')).toBe(false)
  // The cancellation does not reach the next statements.
  for (let round = 0; round < 20; round++) expect(await written('after 1')).toBe(true)
})

test.runIf(isDeep)('vacuums with a longer timeout, which no other client gets', async () => {
  const { services } = site.app
  await database.db.insert(moderationLog).values({ at: services.now(), action: 'takedown', role: 'admin' })
  const readTimeout = async () =>
    (await database.db.execute(sql`select current_setting('statement_timeout') as value`))[0]?.value
  const before = await readTimeout()
  let isOver = false
  const vacuum = vacuumDatabase(services, new AbortController().signal).finally(() => {
    isOver = true
  })
  const seen = new Set<unknown>()
  while (!isOver) seen.add(await readTimeout())
  await vacuum
  expect([...seen]).toEqual([before])
})

test.runIf(alone)('executes no query after its caller got an error (embedded only)', async () => {
  const slow = database.db.execute(sql`select pg_sleep(1.5)`).then(({ length }) => length)
  const inserts = Array.from({ length: 30 }, (_, n) =>
    database.db.execute(sql`insert into allowance values (${`late ${n}`}, 0)`).then(
      () => [`late ${n}`],
      () => [],
    ),
  )
  const acknowledged = (await Promise.all(inserts)).flat()
  // This statement works in memory, so nothing cancels it. Its caller waits for the answer.
  expect(await slow).toBe(1)
  const stored = await database.db.execute<{ key: string }>(sql`select key from allowance where key like 'late %'`)
  expect(new Set(stored.map(({ key }) => key))).toEqual(new Set(acknowledged))
})

test('sets no timeout for commands', async () => {
  const command = await openDatabase({ ...place, mode: 'command', timeoutMs: 100 })
  expect(await command.db.execute(sql`select pg_sleep(0.3)`)).toHaveLength(1)
  await command.close()
})

test.skipIf(alone)('recovers from a database that accepts queries but does not answer (PostgreSQL only)', async () => {
  const token = await site.createToken('silent@example.org', 'admin')
  const board = (name: string) => ({ token, json: { name, description: 'text' } })
  expect((await callApi(site, 'POST', BOARDS, board('Before'))).status).toBe(200)
  proxy?.stall()
  const begun = performance.now()
  const answers = await Promise.all([
    callApi(site, 'GET', BOARDS),
    callApi(site, 'POST', BOARDS, board('Meanwhile')),
    callApi(site, 'POST', '/api/paste', { json: { content: 'text', expiryHours: 1 } }),
  ])
  for (const { status, headers, body } of answers) {
    expect([status, headers['retry-after']]).toEqual([503, '5'])
    expect(body).toEqual({
      success: false,
      error: 'The service is not available right now. Please try again in a moment.',
    })
  }
  expect((await callApi(site, 'GET', '/readyz')).status).toBe(503)
  expect(performance.now() - begun).toBeLessThan(30_000)
  proxy?.restore()
  await expect.poll(async () => (await callApi(site, 'GET', '/readyz')).status).toBe(200)
  expect((await callApi(site, 'POST', BOARDS, board('After'))).status).toBe(200)
  const { body } = await callApi(site, 'GET', BOARDS)
  // The failed call created no board, so a client can safely retry.
  expect(body.boards.map(({ name }: { name: string }) => name).sort()).toEqual(['After', 'Before'])
})

test.skipIf(alone)('replaces dead connections, including the listening one (PostgreSQL only)', async () => {
  const way = await startDatabaseProxy(place.databaseUrl ?? '')
  // Opening ten connections at once takes long on a busy machine.
  const own = await openDatabase({ ...place, databaseUrl: way.url, timeoutMs: 5 * ANSWER_MS, heartbeatMs: BEAT_MS })
  const lost = vi.fn()
  const heard: string[] = []
  own.events.onReconnect(lost)
  own.events.subscribe((payload) => heard.push(payload))
  // Opens all ten connections of the pool before they become unresponsive.
  await Promise.all(Array.from({ length: 10 }, () => own.db.execute(sql`select pg_sleep(0.2)`)))
  way.blackhole()
  await expect(own.db.execute(sql`select 1`)).rejects.toMatchObject({ cause: expect.any(DatabaseTimeout) })
  // The next queries must not try the other nine dead connections one by one.
  let failures = 0
  while (!(await own.db.execute(sql`select 1`).catch(() => null)) && failures < 9) failures++
  expect(failures).toBeLessThan(5)
  await expect.poll(() => lost.mock.calls.length).toBe(1)
  await own.db.execute(sql`select pg_notify('site', '[]')`)
  await expect.poll(() => heard).toEqual(['[]'])
  // The server does not replace a working connection.
  await new Promise((resolve) => setTimeout(resolve, 4 * BEAT_MS))
  expect(lost).toHaveBeenCalledOnce()
  await own.close()
  await way.close()
})
