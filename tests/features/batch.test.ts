import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '../helpers/calls.ts'
import { startSite, type TestSite } from '../helpers/site.ts'

let site: TestSite
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.close())

const batch = (calls: number) =>
  call(site, 'GET', `/trpc/${Array(calls).fill('board.list').join(',')}?batch=1&input=%7B%7D`)

test('one request carries a handful of calls, not hundreds', async () => {
  expect((await batch(5)).status).toBe(200)
  const { status, body } = await batch(500)
  expect(status).toBe(400)
  expect(JSON.stringify(body)).not.toContain('board.list')
})
