import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { client } from '#src/lib/client.ts'
import { callApi } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

let site: TestSite
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.close())

const batch = (calls: number, query = 'batch=1') =>
  callApi(site, 'GET', `/trpc/${Array(calls).fill('board.list').join(',')}?${query}&input=%7B%7D`)

test('answers a batch of one call, which tabs of version 1.0.0 send, and refuses several', async () => {
  expect(await batch(1)).toMatchObject({ status: 200, body: [{ result: { data: { json: { boards: [] } } } }] })
  for (const { status, body } of [await batch(2), await batch(500), await batch(2, 'batch=1&batch=0')]) {
    expect(status).toBe(400)
    expect(JSON.stringify(body)).not.toContain('board.list')
  }
})

test('two parts of a page may ask for lists at the same moment', async () => {
  vi.stubGlobal('fetch', async (url: string) => {
    const { payload, statusCode } = await site.app.inject(url)
    return new Response(payload, { status: statusCode })
  })
  const lists = await Promise.all([client.board.all.query({}), client.board.all.query({})])
  expect(lists.map(({ threads }) => threads)).toEqual([[], []])
})
