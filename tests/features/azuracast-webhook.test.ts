import { readFileSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { broadcast, broadcastTrack, thread } from '#db/schema/index.ts'
import { createWatch } from '#server/features/radio/azuracast/serviceBroadcasts.ts'
import { createBroadcastRows } from '#server/features/radio/broadcastRows.ts'
import { AZURACAST_WEBHOOK_PATH as PATH } from '#server/features/radio/calls.ts'
import { announceBroadcasts } from '#server/features/show/announcements/job.ts'
import { callApi, createBoard } from '#tests/helpers/apiCalls.ts'
import { RADIO_KEY, type RadioService, startRadioService } from '#tests/helpers/radioService.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const TOKEN = 'token-of-the-azuracast'
const EXAMPLE = JSON.parse(readFileSync(new URL('../fixtures/azuracast/nowplaying-live.json', import.meta.url), 'utf8'))
let service: RadioService
let site: TestSite
let time = Date.UTC(2026, 10, 1)
const later = (seconds: number) => {
  time += seconds * 1000
  site.setNow(new Date(time))
}

beforeAll(async () => {
  service = await startRadioService()
  const env = {
    ...{ RADIO_URL: service.url, RADIO_API_KEY: RADIO_KEY },
    ...{ AZURACAST_WEBHOOK_TOKEN: TOKEN, SHOW_BOARD: 'shows' },
  }
  site = await startSite(env)
  later(0)
  await createBoard(site, 'Shows', await site.createToken('admin@example.org', 'admin'))
})
afterEach(() => service.set('all', null))
afterAll(async () => {
  await site.close()
  await service.close()
})

const call = (options: Parameters<typeof callApi>[3] = {}, query = `?token=${TOKEN}`) =>
  callApi(site, 'POST', `${PATH}${query}`, { json: EXAMPLE, ...options })
const playing = (streamer: string | null, title: string) => ({
  ...EXAMPLE,
  live: { is_live: streamer !== null, streamer_name: streamer ?? '' },
  now_playing: { ...EXAMPLE.now_playing, song: { artist: 'Somebody', title } },
})
const titleNow = async () => (await callApi(site, 'GET', '/api/radio/nowplaying/1')).body.nowPlaying.song.title

test('reads the title at once when the service calls, and once for many calls', async () => {
  service.set('nowplaying', { json: playing(null, 'Old') })
  expect(await titleNow()).toBe('Old')
  service.set('nowplaying', { json: playing(null, 'New') })
  expect(await titleNow()).toBe('Old')
  const before = service.count('nowplaying')
  for (let times = 0; times < 10; times++) expect((await call()).status).toBe(200)
  await expect.poll(titleNow).toBe('New')
  expect(service.count('nowplaying')).toBe(before + 1)
})

test('accepts only calls with the token', async () => {
  const basic = Buffer.from(`azuracast:${TOKEN}`).toString('base64')
  const send = async (authorization: string) =>
    (await site.app.inject({ method: 'POST', url: PATH, headers: { authorization }, payload: EXAMPLE })).statusCode
  expect(await send(`Bearer ${TOKEN}`)).toBe(200)
  expect(await send(`Basic ${basic}`)).toBe(200)
  for (const wrong of ['', 'Basic', 'Basic !!', `Bearer ${TOKEN}x`, `Basic ${Buffer.from(TOKEN).toString('base64')}`])
    expect(await send(wrong)).toBe(401)
  for (const query of ['', '?token=', `?token=${'a'.repeat(3000)}`]) expect((await call({}, query)).status).toBe(401)
})

test('ignores the body, except for the station', async () => {
  const { json: _, ...none } = { json: null }
  for (const raw of ['', '[]', '"text"', 'null', '{"station":{"id":"x"}}', '{"station":[[[]]],"now_playing":1}'])
    expect((await call({ ...none, json: undefined, raw })).status).toBe(200)
  expect((await call({ json: undefined, raw: '{"station":' })).status).toBe(400)
  expect((await call({ json: { station: { id: 99 } } })).status).toBe(404)
  expect((await call({ json: { text: 'a'.repeat(70_000) } })).status).toBe(413)
})

test('does not exist without a token in the settings', async () => {
  const other = await startSite()
  const { status } = await callApi(other, 'POST', `${PATH}?token=${TOKEN}`, { json: {} })
  await other.close()
  expect(status).toBe(404)
})

test('turns live shows of the service into broadcasts with a thread and tracks', async () => {
  const { db } = site.app.services
  const events: string[] = []
  const watch = () =>
    createWatch(site.app.services, (notify) =>
      notify({
        onStart: ({ streamer }) => events.push(`start ${streamer.name}`),
        onTitle: (_onAir, { title }) => events.push(title),
        onInterrupt: () => events.push('interrupt'),
        onResume: () => events.push('resume'),
        onEnd: ({ streamer }) => events.push(`end ${streamer.name}`),
      }),
    )
  let current = watch()
  const check = async (json: object | null, seconds = 11) => {
    service.set('nowplaying', json ? { json } : 'broken')
    later(seconds)
    await current.check()
  }
  await check(playing(null, 'Automatic'))
  await check(playing('Owl', 'One'))
  await check(playing('Owl', 'One'))
  await check(null)
  await check(playing(null, 'Automatic'))
  await check(playing('Owl', 'Two'))
  // The process dies, and another one takes over. Its live side leaves the broadcast alone.
  current = watch()
  expect(await createBroadcastRows(site.app.services).listOpen(1)).toEqual([])
  await check(playing('Owl', 'Two'))
  await check(playing('Fox', 'Three'))
  await announceBroadcasts(site.app.services, new AbortController().signal)
  await check(playing(null, 'Automatic'))
  await check(playing(null, 'Automatic'), 31)
  expect(events).toEqual([
    'start Owl',
    'One',
    'interrupt',
    'resume',
    'Two',
    'end Owl',
    'start Fox',
    'Three',
    'interrupt',
    'end Fox',
  ])
  const rows = await db.select().from(broadcast).orderBy(broadcast.id)
  expect(rows).toMatchObject([
    { streamerName: 'Owl', file: null, userId: null },
    { streamerName: 'Fox', endedAt: new Date(time - 31_000) },
  ])
  const tracks = await db
    .select()
    .from(broadcastTrack)
    .where(eq(broadcastTrack.broadcastId, rows[0]?.id ?? 0))
  expect(tracks.map(({ seconds, title }) => [seconds, title])).toEqual([
    [0, 'One'],
    [44, 'Two'],
  ])
  later(130)
  await announceBroadcasts(site.app.services, new AbortController().signal)
  expect((await db.select({ title: thread.title, comments: thread.commentCount }).from(thread)).sort()).toEqual([
    { title: 'Owl live', comments: 1 },
    { title: 'Fox live', comments: 1 },
  ])
})
