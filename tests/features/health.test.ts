import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { call } from '../helpers/calls.ts'
import { startSite, type TestSite } from '../helpers/site.ts'

let site: TestSite
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.close())

test('a database that never answers keeps nobody waiting', async () => {
  const never = vi.spyOn(site.app.services.db, 'execute').mockReturnValue(new Promise(() => {}) as never)
  const begun = performance.now()
  const answers = await Promise.all([1, 2, 3].map(() => call(site, 'GET', '/readyz')))
  expect(answers.map(({ status }) => status)).toEqual([503, 503, 503])
  expect(performance.now() - begun).toBeLessThan(5000)
  // However many ask, the database is asked once.
  expect(never).toHaveBeenCalledOnce()
  expect((await call(site, 'GET', '/healthz')).status).toBe(200)
  never.mockRestore()
  await expect.poll(async () => (await call(site, 'GET', '/readyz')).status).toBe(200)
})

test('it is alive, and ready while database and files answer', async () => {
  expect((await call(site, 'GET', '/healthz')).status).toBe(200)
  expect((await call(site, 'GET', '/readyz')).status).toBe(200)
})

test('it is not ready where no file can be stored', async () => {
  const other = await startSite()
  await writeFile(join(other.dataDir, 'uploads'), 'a file in the place of the folder')
  expect((await call(other, 'GET', '/readyz')).status).toBe(503)
  expect((await call(other, 'GET', '/healthz')).status).toBe(200)
  await other.close()
})
