import { join } from 'node:path'
import { eq, isNull } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { broadcast, songRequest } from '#db/schema/index.ts'
import type { App } from '#server/app.ts'
import { createUser, findUser } from '#server/features/auth/service.ts'
import { deleteOldRequests, playRequests } from '#server/features/radio/library/requests/planning.ts'
import { readPlannedTracks } from '#server/features/radio/library/requests/queue.ts'
import { findTracks, requestSong } from '#server/features/radio/library/requests/service.ts'
import type { FoundTrack, SongRequestView } from '#src/contract/songRequest.ts'
import { t } from '#src/i18n/t.ts'
import { openStation, put } from '#tests/helpers/embeddedStation.ts'
import { marksIn, mp3 } from '#tests/helpers/mp3.ts'
import {
  CLIENT_IP,
  MINUTE,
  OTHER_CLIENT_IP,
  postFrom,
  type RateLimitedSite,
  startRateLimitedSite,
} from '#tests/helpers/rateLimitedSite.ts'

const CALL = '/api/radio/requests'
const TRACKS = 24
const SECONDS = 30

let site: RateLimitedSite
let apps: [App, App]

beforeAll(async () => {
  site = await startRateLimitedSite()
  const dir = join(site.app.services.config.dataDir, 'radio')
  for (let track = 1; track <= TRACKS; track++) {
    const tags = { title: `Song ${track}`, artist: track === 7 ? 'Björk & Ünïque' : 'Sine Club' }
    put(dir, `${String(track).padStart(2, '0')}.mp3`, mp3({ seconds: SECONDS, track, tags }))
  }
  apps = [await site.start({ SONG_REQUESTS: 'on' }), await site.start({ SONG_REQUESTS: 'on' })]
})
afterAll(() => site?.close())

beforeEach(async () => {
  await site.database.db.update(songRequest).set({ outcome: 'skipped' }).where(isNull(songRequest.playsAt))
  await site.database.db.delete(broadcast)
  // All limits and cooldowns are over.
  site.now += 24 * 60 * MINUTE
})

const read = async (app: App, path: string) => {
  const answer = await app.inject({ url: path, remoteAddress: CLIENT_IP })
  return { status: answer.statusCode, ...answer.json() }
}
const tracks = async (query = '', app = apps[0]): Promise<FoundTrack[]> =>
  (await read(app, `/api/radio/tracks?q=${encodeURIComponent(query)}`)).tracks
const waiting = async (app = apps[0]): Promise<SongRequestView[]> => (await read(app, CALL)).requests
const request = (trackId: unknown, from = CLIENT_IP, app = apps[0]) => postFrom(app, from, CALL, { trackId })
const nowPlaying = (app: App) => app.services.radio.nowPlaying(1)

test('is off by default', async () => {
  for (const path of [CALL, '/api/radio/tracks']) {
    expect(await read(site.app, path)).toEqual({ status: 404, success: false, error: t('radio.requestOff') })
  }
  expect((await request(1, CLIENT_IP, site.app)).status).toBe(404)
  expect((await site.app.services.radio.stations()).stations[0]?.takesRequests).toBe(false)
  expect((await apps[0].services.radio.stations()).stations[0]?.takesRequests).toBe(true)
})

test('finds tracks by words, without accents, and survives hostile queries', async () => {
  // A search waits one second for the tags of a new library. This track is read last.
  await expect.poll(() => tracks(`song ${TRACKS}`)).toHaveLength(1)
  expect(await tracks('bjork UNIQUE')).toMatchObject([{ title: 'Song 7', artist: 'Björk & Ünïque', availableAt: null }])
  expect((await tracks('sine song 2')).map(({ title }) => title).slice(0, 2)).toContain('Song 2')
  expect(await tracks()).toHaveLength(20)
  expect(await tracks('nothing like this')).toEqual([])
  for (const query of ['%', "'; drop table song_request; --", '.*(', '\u202e', '__proto__', '💥'.repeat(50)]) {
    expect((await read(apps[0], `/api/radio/tracks?q=${encodeURIComponent(query)}`)).status).toBe(200)
  }
  for (const query of ['x'.repeat(101), '%00', 'a&q=b']) {
    expect((await read(apps[0], `/api/radio/tracks?q=${query}`)).status).toBe(400)
  }
  for (const id of [undefined, null, '', '1', 1.5, -1, 2 ** 60, [1], {}, 'x'.repeat(9000)]) {
    expect([400, 404]).toContain((await request(id)).status)
  }
  expect(await waiting()).toEqual([])
})

test('accepts exactly the limit of a network, however many requests come at once', async () => {
  const found = await tracks()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => request(found[index]?.id, CLIENT_IP, apps[index % 2])),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(3)
  expect(statuses.filter((status) => status !== 200)).toEqual(Array(17).fill(429))
  expect(await waiting()).toHaveLength(3)
  expect(
    (
      await request(
        found.find(({ id }) => !answers.some(({ body }) => body.request?.trackId === id))?.id,
        OTHER_CLIENT_IP,
      )
    ).status,
  ).toBe(200)
})

test('refuses a track that waits or was requested lately, and a full queue', async () => {
  const found = await tracks()
  const [first, ...others] = found.map(({ id }) => id)
  const same = await Promise.all(Array.from({ length: 5 }, (_, index) => request(first, `192.0.2.${index + 10}`)))
  expect(same.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
  expect(same.find(({ status }) => status === 409)?.body.error).toBe(t('radio.requestWaiting'))
  site.now += 119 * MINUTE
  const [cooling] = (await tracks()).filter(({ id }) => id === first)
  expect(cooling?.availableAt).toEqual(new Date(site.now + MINUTE).toISOString())
  expect((await request(first)).body.error).toContain(t('radio.requestRecent'))
  site.now += MINUTE + 1
  expect((await request(first)).status).toBe(200)
  for (const [index, id] of others.entries()) {
    expect((await request(id, `198.51.100.${index + 10}`)).status).toBe(200)
  }
  const [last] = await tracks('song 9')
  const [unused] = (await findTracks(apps[0].services, '', TRACKS)).filter(
    ({ id }) => !found.some((one) => one.id === id),
  )
  expect((await request(unused?.id, OTHER_CLIENT_IP)).body.error).toBe(t('radio.requestFull'))
  expect(last).toBeDefined()
})

test('plays a requested track whole between two tracks, in all processes and after a restart', async () => {
  const [wanted] = await tracks('song 13')
  const before = await nowPlaying(apps[1])
  const created: SongRequestView = (await request(wanted?.id)).body.request
  expect(created).toMatchObject({ title: 'Song 13', isPlanned: true })
  const startsAt = Date.parse(String(created.expectedAt))
  expect(startsAt - site.now).toBeGreaterThanOrEqual(5000)
  expect(await waiting(apps[1])).toEqual([created])
  const planned = await readPlannedTracks(site.database.db)
  const dir = join(site.app.services.config.dataDir, 'radio')
  const station = openStation({ dir, time: new Date(site.now).toISOString(), planned })
  const begin = site.now - 7000
  const marks = (await station.listen(100)).flatMap(marksIn)
  const at = marks.findIndex(({ track, frame }) => track === 13 && frame === 0)
  expect(begin + (at * 1152) / 44.1).toBeCloseTo(startsAt, -2)
  const frames = marks.slice(at, at + Math.round((SECONDS * 44100) / 1152))
  expect(frames.map(({ track }) => track)).toEqual(frames.map(() => 13))
  expect(frames.map(({ frame }) => frame)).toEqual(frames.map((_, index) => index))
  const ring = marks.filter((_, index) => index < at || index >= at + frames.length)
  const order = ring.filter(({ track }, index) => track !== ring[index - 1]?.track).map(({ track }) => track)
  expect(order).toEqual(order.map((_, index) => (((order[0] ?? 0) - 1 + index) % TRACKS) + 1))

  site.now = startsAt + 4500
  const restarted = await site.start({ SONG_REQUESTS: 'on' })
  for (const app of [...apps, restarted]) {
    await expect.poll(() => nowPlaying(app)).toMatchObject({ song: { title: 'Song 13' }, elapsed: 4, isRequest: true })
  }
  site.now = startsAt + (SECONDS + 20) * 1000
  const after = await nowPlaying(apps[0])
  expect(after.isRequest).toBe(false)
  expect(after.history[0]).toMatchObject({ song: { title: 'Song 13' }, isRequest: true })
  expect(after.history[1]?.song.title).toBe(before.song.title)
  expect(await nowPlaying(restarted)).toEqual(after)
  await playRequests(apps[0].services)
  expect(await waiting()).toEqual([])
  // The last planned request is where the ring continues.
  site.now += 48 * 60 * MINUTE
  const expected = (await nowPlaying(apps[0])).song
  await deleteOldRequests(apps[0].services)
  const later = await site.start({ SONG_REQUESTS: 'on' })
  expect((await nowPlaying(later)).song).toEqual(expected)
})

test('leaves requests to the streamer on air, who and whose admins can finish them', async () => {
  const { db } = site.database
  const found = await tracks()
  const [first, second] = [(await request(found[0]?.id)).body.request, (await request(found[1]?.id)).body.request]
  const tokens: Record<string, string> = {}
  for (const name of ['dj', 'member', 'admin']) {
    const email = `${name}@site.example`
    if (!(await findUser(db, email))) {
      await createUser(db, { email, role: name === 'admin' ? 'admin' : 'member', password: 'correct horse battery' })
    }
    const user = await findUser(db, email)
    if (!user) throw new Error('User was not created')
    tokens[name] = await apps[0].services.sessions.create(user)
  }
  const dj = await findUser(db, 'dj@site.example')
  const finish = async (id: number, name: string, query = '') => {
    const headers = name ? { authorization: `Bearer ${tokens[name]}` } : {}
    return (await apps[0].inject({ method: 'DELETE', url: `${CALL}/${id}${query}`, headers })).statusCode
  }
  expect(await finish(second.id, 'dj')).toBe(403)
  await db.insert(broadcast).values({
    ...{ stationId: 1, userId: dj?.id, streamerName: 'Ferrite', startedAt: new Date(site.now), type: 'audio/mpeg' },
  })
  await playRequests(apps[0].services)
  expect(await read(apps[1], CALL)).toMatchObject({
    streamerName: 'Ferrite',
    requests: [
      { id: first.id, isPlanned: false, expectedAt: null },
      { id: second.id, expectedAt: null },
    ],
  })
  expect(await finish(first.id, '')).toBe(401)
  expect(await finish(first.id, 'member')).toBe(403)
  expect(await finish(first.id, 'dj', '?outcome=eaten')).toBe(400)
  expect(await finish(first.id, 'dj', '?outcome=played')).toBe(200)
  expect(await finish(first.id, 'dj')).toBe(404)
  expect(await finish(Number.NaN, 'admin')).toBe(404)
  // The station goes on when the streamer leaves, and skips what waited too long.
  await db.update(broadcast).set({ endedAt: new Date(site.now) })
  await playRequests(apps[0].services)
  expect(await waiting()).toMatchObject([{ id: second.id, isPlanned: true }])
  expect(await finish(second.id, 'admin')).toBe(200)
  await request(found[2]?.id, OTHER_CLIENT_IP)
  await db
    .update(songRequest)
    .set({ playsAt: null, nextTrackId: null })
    .where(eq(songRequest.trackId, found[2]?.id ?? 0))
  site.now += 121 * MINUTE
  await playRequests(apps[0].services)
  expect(await waiting()).toEqual([])
})

test('takes requests from IRC, with limits per user', async () => {
  const ctx = apps[0].services
  const ask = (query: string, requester: string) =>
    requestSong(ctx, { query, source: 'irc', requester, isMember: false })
  expect(await ask('song 21', 'irc.example ferrite.example')).toMatchObject({ title: 'Song 21', source: 'irc' })
  await ask('song 22', 'irc.example ferrite.example')
  await ask('song 23', 'irc.example ferrite.example')
  await expect(ask('song 24', 'irc.example ferrite.example')).rejects.toMatchObject({
    message: expect.stringContaining(t('radio.requestTooManyFromUser')),
  })
  await expect(ask('no such song', 'irc.example other')).rejects.toThrow(t('radio.requestNoMatch'))
  await expect(ask('  ', 'irc.example other')).rejects.toThrow(t('radio.requestNoMatch'))
  expect(await ask('song 24', 'irc.example other')).toMatchObject({ title: 'Song 24' })
  expect((await waiting()).map(({ title }) => title)).toEqual(['Song 21', 'Song 22', 'Song 23', 'Song 24'])
})
