import { afterAll, beforeAll, expect, test } from 'vitest'
import { listenerCount, streamer } from '#db/schema/index.ts'
import { deleteOldListenerCounts, storeListenerCounts } from '#server/features/radio/output/listenerCounts.ts'
import { callApi } from '#tests/helpers/apiCalls.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const start = Date.UTC(2026, 5, 2, 12, 0, 20)
let site: TestSite
let admin: string

beforeAll(async () => {
  site = await startSite()
  admin = await site.createToken('admin@example.org', 'admin')
})
afterAll(() => site.close())

/** Stores the listeners of a process at a time. */
async function store(at: number, ...listeners: [stationId: number, listeners: number][]) {
  const { db } = site.app.services
  const radio = { stats: () => ({ listeners, streams: 1, failingCalls: [] }) }
  await storeListenerCounts({ db, now: () => new Date(at), radio: radio as never })
}
const read = (query = '', token?: string) => callApi(site, 'GET', `/api/radio/listeners${query}`, { token })

test('adds up the listeners of several processes, per minute', async () => {
  await store(start, [1, 3], [2, 0])
  await Promise.all([store(start + 5_000, [1, 4]), store(start + 9_000, [1, 1], [2, 6])])
  await store(start + MINUTE_MS, [1, 5])
  await store(start - 23 * HOUR_MS, [1, 9])
  expect(await site.app.services.db.$count(listenerCount)).toBe(4)
  site.setNow(new Date(start + MINUTE_MS))
  const { body } = await read('?station=1', admin)
  const { station, minutes, peak, spans } = body.listeners
  expect({ station, minutes, peak, length: spans.length, last: spans.at(-1) }).toEqual({
    ...{ station: 1, minutes: 10, length: 144 },
    peak: { listeners: 9, at: new Date(start - 23 * HOUR_MS - 20_000).toISOString() },
    last: { listeners: 8, at: new Date(start - 20_000).toISOString() },
  })
  const hour = (await read('?hours=1', admin)).body.listeners
  expect(hour.spans).toHaveLength(60)
  expect(hour.spans.at(-2)).toMatchObject({ listeners: 8 })
  expect((await read('?hours=168', admin)).body.listeners.spans).toHaveLength(168)
})

test('deletes counts after 30 days', async () => {
  const { db } = site.app.services
  await store(start - 31 * 24 * HOUR_MS, [1, 2])
  const before = await db.$count(listenerCount)
  await deleteOldListenerCounts({ db, now: () => new Date(start) })
  expect(await db.$count(listenerCount)).toBe(before - 1)
})

test('answers streamers and admins only, within bounds', async () => {
  const { db, sessions } = site.app.services
  const token = await site.createToken('dj@example.org')
  expect((await read()).status).toBe(401)
  expect((await read('', token)).status).toBe(403)
  const user = await sessions.validate(token)
  const account = { userId: user?.id ?? '', name: 'DJ', passwordHash: new Uint8Array(32), createdAt: new Date(start) }
  await db.insert(streamer).values(account)
  expect((await read('', token)).status).toBe(200)
  for (const query of ['hours=0', 'hours=169', 'hours=1.5', 'hours=x'])
    expect((await read(`?${query}`, token)).status).toBe(400)
  await db.update(streamer).set({ disabled: true })
  expect((await read('', token)).status).toBe(403)
})
