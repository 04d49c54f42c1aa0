import { afterAll, beforeAll, expect, test } from 'vitest'
import { createContext } from '#server/core/context.ts'
import { findPaste } from '#server/features/paste/service.ts'
import { callApi, createBoard, postThread } from '#tests/helpers/apiCalls.ts'
import { createDeferred } from '#tests/helpers/deferred.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

let site: TestSite
beforeAll(async () => {
  site = await startSite({ LARGE_READS_AT_ONCE: '3', LARGE_READS_PER_NETWORK: '2', TRUST_PROXY: '10.0.0.1' })
})
afterAll(() => site.close())

/** Starts large reads that run until the test releases them. */
function occupy(address: string, reads: number) {
  let running = 0
  const released = createDeferred()
  const all = Array.from({ length: reads }, () =>
    site.app.services.largeReads(address, () => {
      running++
      return released.promise
    }),
  )
  return { all: Promise.all(all), release: released.resolve, running: () => running }
}

test('limits the reads of a network at the same time', async () => {
  const one = occupy('192.0.2.1', 5)
  const other = occupy('2600:1f18:7:1::1', 1)
  const sameSlash48 = occupy('2600:1f18:7:2::1', 1)
  await new Promise(setImmediate)
  expect([one.running(), other.running(), sameSlash48.running()]).toEqual([2, 1, 0])
  for (const { release } of [one, other, sameSlash48]) release()
  await Promise.all([one.all, other.all, sameSlash48.all])
  expect(one.running()).toBe(5)
})

test('queues threads, lists of threads, feeds and pastes', async () => {
  const admin = await site.createToken('admin@example.org', 'admin')
  const boardId = await createBoard(site, 'Turns', admin)
  const { id } = (await postThread(site, boardId)).body.thread
  const paste = await callApi(site, 'POST', '/api/paste', { json: { content: 'text', expiryHours: 1 } })
  const pasteId = paste.body.url.split('/').at(-1)
  const urls = [
    `/api/dtpchan/boards/${boardId}/threads`,
    `/api/dtpchan/boards/${boardId}/threads/${id}`,
    `/api/paste/${pasteId}`,
    `/paste/${pasteId}/raw`,
    `/dtpchan/board/${boardId}/page.en.json`,
    `/dtpchan/board/${boardId}/feed.atom`,
    `/dtpchan/board/${boardId}/thread/${id}/feed.atom`,
  ]
  const busy = [occupy('192.0.2.1', 2), occupy('192.0.2.2', 1)]
  const answered: string[] = []
  const all = urls.map(async (url) => {
    const { status } = await callApi(site, 'GET', url)
    answered.push(url)
    return status
  })
  expect((await callApi(site, 'GET', '/api/dtpchan/boards')).status).toBe(200)
  expect(answered).toEqual([])
  for (const { release } of busy) release()
  expect(await Promise.all(all)).toEqual(urls.map(() => 200))
})

test('looks up a paste without reading its content', async () => {
  const { body } = await callApi(site, 'POST', '/api/paste', { json: { content: 'text', expiryHours: 1 } })
  const ctx = createContext(site.app.services, { ip: '192.0.2.3', headers: {} })
  const found = await findPaste(ctx, body.url.split('/').at(-1))
  expect(found.expiresAt).toBeInstanceOf(Date)
  expect(found).not.toHaveProperty('sealed')
})
