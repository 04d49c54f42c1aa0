import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { type DatabaseHandle, openDatabase } from '#db/client.server.ts'
import { DatabaseTimeout, extendTransactionTimeout } from '#db/queryWatchdog.server.ts'
import { publicError } from '#server/core/errors.ts'
import { BOARDS, callApi } from '#tests/helpers/apiCalls.ts'
import { type DatabaseProxy, startDatabaseProxy } from '#tests/helpers/databaseProxy.ts'
import { type TestDatabase, testDatabase } from '#tests/helpers/databases.ts'
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
  await expect(database.db.execute(sql`select pg_sleep(1.2)`)).rejects.toMatchObject({
    cause: expect.any(DatabaseTimeout),
  })
  await expect.poll(() => written('after 1.1').catch(() => null)).toBe(false)
  expect(await napping(1, 10_000)).toBe('done')
  expect(await written('after 1')).toBe(true)
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
  expect(performance.now() - begun).toBeLessThan(8000)
  proxy?.restore()
  await expect.poll(async () => (await callApi(site, 'GET', '/readyz')).status).toBe(200)
  expect((await callApi(site, 'POST', BOARDS, board('After'))).status).toBe(200)
  const { body } = await callApi(site, 'GET', BOARDS)
  // The failed call created no board, so a client can safely retry.
  expect(body.boards.map(({ name }: { name: string }) => name).sort()).toEqual(['After', 'Before'])
})

test.skipIf(alone)('replaces dead connections, including the listening one (PostgreSQL only)', async () => {
  const way = await startDatabaseProxy(place.databaseUrl ?? '')
  const own = await openDatabase({ ...place, databaseUrl: way.url, timeoutMs: ANSWER_MS, heartbeatMs: BEAT_MS })
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
