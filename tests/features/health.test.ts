import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '../helpers/calls.ts'
import { startSite, type TestSite } from '../helpers/site.ts'

let site: TestSite
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.close())

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
