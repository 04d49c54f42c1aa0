import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { callApi } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

let site: TestSite
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.close())

test('responds within its timeout when the database never answers', async () => {
  const never = vi.spyOn(site.app.services.db, 'execute').mockReturnValue(new Promise(() => {}) as never)
  const begun = performance.now()
  const answers = await Promise.all([1, 2, 3].map(() => callApi(site, 'GET', '/readyz')))
  const body = { status: 'unavailable', cause: 'the database does not answer (Timed out after 2000 ms)' }
  for (const answer of answers) expect(answer).toMatchObject({ status: 503, body })
  expect(performance.now() - begun).toBeLessThan(30_000)
  // Simultaneous checks share one query.
  expect(never).toHaveBeenCalledOnce()
  expect((await callApi(site, 'GET', '/healthz')).status).toBe(200)
  never.mockRestore()
  await expect.poll(async () => (await callApi(site, 'GET', '/readyz')).status).toBe(200)
})

test('reports alive and ready while database and files respond', async () => {
  expect((await callApi(site, 'GET', '/healthz')).status).toBe(200)
  expect((await callApi(site, 'GET', '/readyz')).status).toBe(200)
})

test('reports an unwritable folder in its response and once in the log', async () => {
  const lines: string[] = []
  const other = await startSite({ LOG_LEVEL: 'info' }, { logTo: { write: (line) => void lines.push(line) } })
  const uploads = join(other.dataDir, 'uploads')
  await writeFile(uploads, 'a file in the place of the folder')
  const cause = 'files cannot be stored (EEXIST)'
  const ready = () => callApi(other, 'GET', '/readyz')
  for (const answer of [await ready(), await ready()]) {
    expect(answer).toMatchObject({ status: 503, body: { status: 'unavailable', cause } })
  }
  expect((await callApi(other, 'GET', '/healthz')).status).toBe(200)
  await rm(uploads)
  await expect.poll(async () => (await ready()).status).toBe(200)
  const logged = lines.map((line) => JSON.parse(line)).filter(({ msg }) => /ready/.test(msg))
  expect(logged).toMatchObject([
    { level: 50, msg: 'the site is not ready', cause },
    { level: 30, msg: 'the site is ready again' },
  ])
  await other.close()
})

test('is not ready before it has started', async () => {
  let isStarted = false
  const other = await startSite({}, { isStarted: () => isStarted })
  const starting = { status: 'starting', cause: 'the site is starting' }
  expect(await callApi(other, 'GET', '/readyz')).toMatchObject({ status: 503, body: starting })
  expect((await callApi(other, 'GET', '/healthz')).status).toBe(200)
  isStarted = true
  expect((await callApi(other, 'GET', '/readyz')).status).toBe(200)
  await other.close()
})
