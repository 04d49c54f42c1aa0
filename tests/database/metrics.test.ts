import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { callApi, createBoard, postThread, readThread } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const TOKEN = 'a-token-of-the-tests-42'

let site: TestSite
beforeAll(async () => {
  site = await startSite({ TRUST_PROXY: '127.0.0.1' })
})
afterAll(() => site.close())

type Asking = { headers?: Record<string, string>; remoteAddress?: string }
const ask = (asked: TestSite, { headers = {}, remoteAddress = '127.0.0.1' }: Asking = {}) =>
  asked.app.inject({ url: '/metrics', headers: { host: 'localhost:3000', ...headers }, remoteAddress })

/** Returns a metric's values, keyed by their labels. */
async function read(name: string): Promise<Record<string, number>> {
  const { body } = await ask(site)
  const lines = body.split('\n').filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
  return Object.fromEntries(
    lines.map((line) => {
      const [, labels = '', value] = /^[a-z_]+(?:\{(.*)\})? (.+)$/.exec(line) ?? []
      return [labels, Number(value)]
    }),
  )
}

test('answers the local machine without a token, but no client behind a local proxy', async () => {
  const answer = await ask(site)
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-type']).toContain('text/plain; version=')
  expect(answer.headers['cache-control']).toBe('no-store')
  expect((await ask(site, { remoteAddress: '::ffff:127.0.0.1', headers: { host: '127.0.0.1:1' } })).statusCode).toBe(
    200,
  )
  const strangers: Asking[] = [
    { remoteAddress: '203.0.113.7' },
    { headers: { 'x-forwarded-for': '203.0.113.7' } },
    { headers: { 'x-forwarded-for': '127.0.0.1' } },
    { headers: { forwarded: 'for=127.0.0.1' } },
    { headers: { 'x-real-ip': '127.0.0.1' } },
    { headers: { via: '1.1 proxy' } },
    { headers: { host: 'www.example.org' } },
  ]
  for (const stranger of strangers) {
    const refused = await ask(site, stranger)
    expect([refused.statusCode, refused.json()]).toEqual([404, { success: false, error: 'Not found' }])
  }
})

test('requires a token if SITE_URL is public, because a proxy can look like the local machine', async () => {
  const asForwarded = { headers: { host: '127.0.0.1:3000' } }
  const behindProxy = await startSite({ SITE_URL: 'https://example.org' })
  const refused = await ask(behindProxy, asForwarded)
  expect([refused.statusCode, refused.json().error]).toEqual([403, expect.stringContaining('Set METRICS_TOKEN')])
  expect((await ask(behindProxy, { remoteAddress: '203.0.113.7' })).statusCode).toBe(404)
  await behindProxy.close()
  const guarded = await startSite({ SITE_URL: 'https://example.org', METRICS_TOKEN: TOKEN })
  expect((await ask(guarded, { headers: { authorization: `Bearer ${TOKEN}` } })).statusCode).toBe(200)
  await guarded.close()
})

test('answers any client with the token and no other client', async () => {
  const guarded = await startSite({ METRICS_TOKEN: TOKEN })
  const remoteAddress = '203.0.113.7'
  const right = await ask(guarded, { remoteAddress, headers: { authorization: `Bearer ${TOKEN}` } })
  expect(right.statusCode).toBe(200)
  for (const authorization of ['', 'Bearer', `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, TOKEN, `Basic ${TOKEN}`]) {
    const refused = await ask(guarded, { headers: { authorization } })
    expect([refused.statusCode, refused.headers['www-authenticate']]).toEqual([401, 'Bearer'])
  }
  await guarded.close()
  await expect(startSite({ METRICS_TOKEN: 'short' })).rejects.toThrow(/^Setting METRICS_TOKEN is wrong: must be/)
})

test('counts requests by route pattern, not by URL', async () => {
  const token = await site.createToken('metrics@example.org')
  const boardId = await createBoard(site, 'Measured', token)
  const { body } = await postThread(site, boardId)
  await readThread(site, boardId, body.thread.id)
  await callApi(site, 'GET', '/no-such-page/of-anybody')
  await site.app.inject({ method: 'PROPFIND' as 'GET', url: '/no-such-page' })
  await expect
    .poll(() => read('site_http_request_duration_seconds_count'))
    .toMatchObject({
      'method="GET",route="/api/dtpchan/boards/:boardId/threads/:threadId",status="2xx"': 1,
      'method="POST",route="/api/dtpchan/boards/:boardId/threads",status="2xx"': 1,
      'method="GET",route="none",status="4xx"': 1,
    })
  expect(await read('site_http_errors_total')).toMatchObject({ 'status="404"': expect.any(Number) })
  const { body: all } = await ask(site)
  for (const secret of [boardId, 'no-such-page', 'of-anybody', 'metrics@']) expect(all).not.toContain(secret)
})

test('reports jobs, feeds, cache, radio, uploads and the process', async () => {
  const { db } = site.app.services
  await db.execute(sql`insert into job (name, started_at, leased_until, ended_at, failures) values
    ('done', '2026-01-01T00:00:00Z', null, '2026-01-01T00:00:02.5Z', 0),
    ('failed', '2026-01-01T00:00:00Z', null, '2026-01-01T00:00:01Z', 3),
    ('running', '2026-01-01T00:00:10Z', now() + interval '1 hour', '2026-01-01T00:00:01Z', 0),
    ('once for all', now(), null, null, 0)`)
  await db.execute(
    sql`insert into feed (url, next_at, failures) values ('https://a.example/', now(), 0), ('https://b.example/', now(), 4)`,
  )
  const begun = Date.parse('2026-01-01T00:00:00Z') / 1000
  expect(await read('site_job_last_start_timestamp_seconds')).toEqual({
    'job="done"': begun,
    'job="failed"': begun,
    'job="running"': begun + 10,
  })
  expect(await read('site_job_last_end_timestamp_seconds')).toMatchObject({ 'job="done"': begun + 2.5 })
  expect(await read('site_job_duration_seconds')).toEqual({ 'job="done"': 2.5, 'job="failed"': 1 })
  expect(await read('site_job_failures')).toEqual({ 'job="done"': 0, 'job="failed"': 3, 'job="running"': 0 })
  expect(await read('site_job_leased')).toEqual({ 'job="done"': 0, 'job="failed"': 0, 'job="running"': 1 })
  // A failure does not change the time of the last success.
  await db.execute(sql`update job set failures = 1, ended_at = '2026-01-02T00:00:00Z' where name = 'done'`)
  expect(await read('site_job_last_success_timestamp_seconds')).toEqual({
    'job="done"': begun + 2.5,
    'job="running"': begun + 1,
  })
  expect(await read('site_feeds')).toEqual({ '': 2 })
  expect(await read('site_feeds_failing')).toEqual({ '': 1 })
  expect(await read('site_database_up')).toEqual({ '': 1 })
  const kind = inject('database') === 'pglite' ? 'embedded' : 'postgres'
  const [build = ''] = Object.keys(await read('site_build_info'))
  expect(build).toMatch(new RegExp(`^version="\\d[^"]*",node="v\\d+[^"]*",database="${kind}"$`))
  const { body } = await ask(site)
  for (const name of ['site_live_connections', 'site_upload_bytes', 'site_page_cache_bytes', 'site_radio_streams']) {
    expect(await read(name)).toEqual({ '': 0 })
  }
  expect((await read('site_disk_free_bytes'))['']).toBeGreaterThan(0)
  expect(body).toContain('nodejs_eventloop_lag_seconds')
  expect(body).toContain('process_resident_memory_bytes')
})

test('reports the other metrics in time while the database hangs', async () => {
  const never = vi.spyOn(site.app.services.db, 'execute').mockReturnValue(new Promise(() => {}) as never)
  const begun = performance.now()
  const { statusCode, body } = await ask(site)
  expect(performance.now() - begun).toBeLessThan(30_000)
  expect(statusCode).toBe(200)
  expect(body).toMatch(/^site_database_up 0$/m)
  expect(body).toMatch(/^site_live_connections 0$/m)
  expect(body).not.toMatch(/^site_(feeds|job)/m)
  never.mockRejectedValue(new Error('away'))
  expect((await ask(site)).body).toMatch(/^site_database_up 0$/m)
  never.mockRestore()
  expect((await ask(site)).body).toMatch(/^site_database_up 1$/m)
})
