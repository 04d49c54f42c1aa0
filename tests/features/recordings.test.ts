import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { broadcast, broadcastTrack, event, streamer } from '#db/schema/index.ts'
import { findUser } from '#server/features/auth/service.ts'
import { createAudioParser } from '#server/features/radio/input/frames/audioParser.ts'
import { cleanUpRecordings } from '#server/features/radio/record/job.ts'
import { startRecorder } from '#server/features/radio/record/recorder.ts'
import { recordingLimits } from '#src/contract/archive.ts'
import { callApi } from '#tests/helpers/apiCalls.ts'
import { oggSound, opusHead, vorbisHead } from '#tests/helpers/audioFrames.ts'
import {
  createFakeLive,
  insertBroadcast,
  mp3Frames,
  onAir,
  recordingPath,
  STREAMER,
} from '#tests/helpers/broadcasts.ts'
import { mp3 } from '#tests/helpers/mp3.ts'
import { startSite, type TestSite } from '#tests/helpers/site.ts'
import { childText, findAll, parseXml, type XmlElement } from '#tests/helpers/xml.ts'
import { programArgs } from '#tests/setup/bundledChildren.ts'

const QUOTA = 400_000
const DAY_MS = 24 * 3600 * 1000
/** seconds of a frame */
const FRAME = 1152 / 44_100

let site: TestSite
let live: ReturnType<typeof createFakeLive>
let recorder: ReturnType<typeof startRecorder> | null = null
let freeBytes = 1e12
let tokens: Record<string, string>
beforeAll(async () => {
  site = await startSite(
    { RECORDINGS: String(QUOTA), RECORDING_DAYS: '30', SITE_URL: 'https://dtp.example.org' },
    { diskSpace: async () => freeBytes },
  )
  site.setNow(new Date('2026-11-21T12:00:00Z'))
  tokens = {
    owner: await site.createToken('owner@example.org'),
    member: await site.createToken('member@example.org'),
    admin: await site.createToken('admin@example.org', 'admin'),
  }
})
afterEach(async () => {
  await recorder?.close()
  recorder = null
})
afterAll(() => site.close())

function record(): void {
  live = createFakeLive()
  recorder = startRecorder({ ...site.app.services, live })
}

const db = () => site.app.services.db
const rowOf = async (id: number) => (await db().select().from(broadcast).where(eq(broadcast.id, id)))[0]
const tracksOf = (id: number) =>
  db().select().from(broadcastTrack).where(eq(broadcastTrack.broadcastId, id)).orderBy(broadcastTrack.seconds)
const endRow = (id: number) =>
  db().update(broadcast).set({ endedAt: site.app.services.now() }).where(eq(broadcast.id, id))
const fileOf = async (id: number) => readFileSync(recordingPath(site.dataDir, (await rowOf(id))?.file ?? 'none'))
const folder = () => recordingPath(site.dataDir, '')

/** Ends the broadcast as the live side does, and waits for the recording. */
async function end(id: number): Promise<void> {
  live.emit('onEnd', onAir(id))
  await endRow(id)
  await recorder?.close()
}

/** Records a whole broadcast. @returns its id */
async function recordShow(seconds: number, change: Parameters<typeof insertBroadcast>[1] = {}): Promise<number> {
  const id = await insertBroadcast(site, change)
  record()
  live.emit('onStart', onAir(id))
  live.emit('onFrames', onAir(id), mp3Frames({ seconds }))
  await end(id)
  return id
}

/** Decodes with ffmpeg if it is installed. @returns its warnings */
function decode(bytes: Buffer): string {
  const { stderr, error } = spawnSync('ffmpeg', ['-v', 'warning', '-i', '-', '-f', 'null', '-'], { input: bytes })
  return error ? '' : stderr.toString()
}

const oggFrames = (...pages: Buffer[]) => createAudioParser('audio/ogg')?.push(Buffer.concat(pages)) ?? []
const get = (url: string, headers = {}, method: 'GET' | 'HEAD' = 'GET') => site.app.inject({ method, url, headers })
const broadcastsOf = async (name = STREAMER.name): Promise<{ id: number; [field: string]: unknown }[]> => {
  const { body } = await callApi(site, 'GET', '/api/radio/station/1/streamers')
  const found = body.streamers.find((one: { display_name: string }) => one.display_name === name)
  if (!found) return []
  return (await callApi(site, 'GET', `/api/radio/station/1/streamer/${found.id}/broadcasts`)).body.broadcasts
}

describe('a recording', () => {
  test('of nothing but silence is not kept', async () => {
    const id = await insertBroadcast(site)
    record()
    live.emit('onStart', onAir(id))
    live.emit('onFrames', onAir(id), mp3Frames({ seconds: 8 }))
    await expect.poll(async () => (await fileOf(id)).length).toBeGreaterThan(0)
    live.emit('onEnd', onAir(id), true)
    await endRow(id)
    await recorder?.close()
    expect(await rowOf(id)).toMatchObject({ file: null, bytes: 0 })
    expect(readdirSync(folder()).filter((name) => name.startsWith(`${id}-`))).toEqual([])
  })

  test('has all frames in order, without those of an interruption', async () => {
    const id = await insertBroadcast(site)
    record()
    const frames = mp3Frames({ seconds: 8 })
    live.emit('onStart', onAir(id))
    for (let at = 0; at < frames.length; at += 7) {
      live.emit('onFrames', onAir(id), frames.slice(at, at + 7))
      if (at === 70) {
        live.emit('onInterrupt', onAir(id))
        const sent = Buffer.concat(frames.slice(0, at + 7).map(({ bytes }) => bytes))
        // Written while the broadcast runs.
        await expect.poll(async () => (await fileOf(id)).equals(sent)).toBe(true)
        expect(await broadcastsOf()).toEqual([])
        live.emit('onResume', onAir(id))
      }
    }
    await end(id)
    const bytes = await fileOf(id)
    expect(bytes.equals(Buffer.concat(frames.map((frame) => frame.bytes)))).toBe(true)
    expect(decode(bytes)).toBe('')
    const row = await rowOf(id)
    expect(row).toMatchObject({ file: `${id}-1.mp3`, type: 'audio/mpeg', bytes: bytes.length })
    expect(row?.seconds).toBeCloseTo(frames.length * FRAME, 6)
  })

  test('is downloaded in ranges, under the name of the streamer and the day', async () => {
    const [shown] = await broadcastsOf()
    const id = shown?.id ?? 0
    const bytes = await fileOf(id)
    expect(shown).toMatchObject({ recording: { size: bytes.length, type: 'audio/mpeg' }, tracks: 0 })
    const podcast = (await get('/archive/podcast.xml')).body
    const url = new URL(/<enclosure url="([^"]+)"/.exec(podcast)?.[1] ?? '').pathname
    const part = await get(url, { range: 'bytes=100-199' })
    expect([part.statusCode, part.headers['content-type']]).toEqual([206, 'audio/mpeg'])
    expect(part.rawPayload.equals(bytes.subarray(100, 200))).toBe(true)
    expect(part.headers['content-disposition']).toBe('attachment; filename="DJ_Live_20-11-2026.mp3"')
    // Web apps play podcasts on pages of their own site.
    expect(part.headers['cross-origin-resource-policy']).toBe('cross-origin')
    const head = await get(url, {}, 'HEAD')
    expect([head.statusCode, head.headers['content-length']]).toEqual([200, String(bytes.length)])
  })

  test('of Ogg is one stream, although the source begins a new one with each title', async () => {
    const id = await insertBroadcast(site)
    record()
    const source = onAir(id, { type: 'audio/ogg' })
    live.emit('onStart', source)
    for (const serial of [3, 4]) {
      const pages = [...vorbisHead({ serial, comment: `title ${serial}` }), ...oggSound(4, { serial })]
      live.emit('onFrames', source, oggFrames(...pages))
    }
    await end(id)
    expect(await rowOf(id)).toMatchObject({ file: `${id}-1.ogg`, type: 'audio/ogg', seconds: 4 })
    const pages = createAudioParser('audio/ogg')?.push(await fileOf(id)) ?? []
    expect(pages.filter(({ isHeader }) => isHeader)).toHaveLength(2)
    expect(pages[0]?.isHeader).toBe(true)
  })

  test('is split when the source changes its format', async () => {
    const id = await insertBroadcast(site, { title: 'Two parts', streamerName: 'Splitter' })
    record()
    live.emit('onStart', onAir(id))
    live.emit('onTitle', onAir(id), { artist: 'A', title: 'first' })
    live.emit('onFrames', onAir(id), mp3Frames({ seconds: 2 }))
    live.emit('onFrames', onAir(id), mp3Frames({ seconds: 1, sampleRate: 48_000 }))
    live.emit('onFrames', onAir(id, { type: 'audio/ogg' }), oggFrames(...opusHead(), ...oggSound(2, { rate: 48_000 })))
    live.emit('onTitle', onAir(id), { artist: 'B', title: 'last' })
    await end(id)
    const parts = (await broadcastsOf('Splitter')).sort((a, b) => a.id - b.id)
    expect(parts.map(({ title, recording, tracks }) => [title, recording, tracks])).toEqual([
      ['Two parts', { size: expect.any(Number), type: 'audio/ogg' }, 1],
      ['Two parts', { size: expect.any(Number), type: 'audio/mpeg' }, 1],
      ['Two parts', { size: expect.any(Number), type: 'audio/mpeg' }, 0],
    ])
    expect(await rowOf(id)).toMatchObject({ file: `${id}-3.ogg`, seconds: 1 })
    expect(await tracksOf(id)).toMatchObject([{ artist: 'B', seconds: 1 }])
    // Each part begins when its format does.
    const [last, first, second] = parts.map(({ timestampStart }) => String(timestampStart))
    expect(first).toBe('2026-11-20T20:00:00.000Z')
    expect([last, second]).toEqual(['2026-11-21T11:59:59.000Z', expect.stringMatching(/^2026-11-21T11:59:5[89]/)])
    expect((await callApi(site, 'GET', `/api/radio/broadcasts/${id}`)).body.broadcast.startedAt).toBe(last)
  })

  test('of a part is no broadcast whose end is announced', async () => {
    const id = await insertBroadcast(site, { streamerName: 'Announced' })
    await db().delete(event)
    record()
    live.emit('onStart', onAir(id))
    live.emit('onFrames', onAir(id), mp3Frames({ seconds: 1 }))
    live.emit('onFrames', onAir(id), mp3Frames({ seconds: 1, sampleRate: 48_000 }))
    await end(id)
    const [part] = await db()
      .select()
      .from(broadcast)
      .where(eq(broadcast.file, `${id}-1.mp3`))
    expect(part?.startAnnouncedAt).toBeInstanceOf(Date)
    expect(part?.endAnnouncedAt).toBeInstanceOf(Date)
    expect(await rowOf(id)).toMatchObject({ startAnnouncedAt: null, endAnnouncedAt: null })
    const published = await db().select({ change: event.change }).from(event).where(eq(event.topic, 'shows'))
    expect(published.length).toBeGreaterThan(0)
    for (const { change } of published) expect(change).toEqual({ kind: 'broadcast', broadcastId: id })
  })

  test('does not continue a file of a broadcast that a restore has lost', async () => {
    const id = await insertBroadcast(site)
    const lost = mp3({ seconds: 3 })
    writeFileSync(recordingPath(site.dataDir, `${id}-1.mp3`), lost)
    record()
    live.emit('onStart', onAir(id))
    live.emit('onFrames', onAir(id), mp3Frames({ seconds: 1 }))
    await end(id)
    expect((await rowOf(id))?.seconds).toBeCloseTo(1, 1)
    expect((await fileOf(id)).length).toBe((await rowOf(id))?.bytes)
    expect(readFileSync(recordingPath(site.dataDir, `${id}-1.mp3`)).equals(lost)).toBe(true)
  })

  test('of a broadcast without sound does not exist', async () => {
    const id = await insertBroadcast(site)
    record()
    live.emit('onStart', onAir(id))
    await end(id)
    expect(await rowOf(id)).toMatchObject({ file: null, bytes: 0 })
    expect((await callApi(site, 'GET', `/api/radio/broadcasts/${id}`)).status).toBe(404)
  })

  test('does not begin on a full disk, and ends when the disk fails', async () => {
    freeBytes = 1000
    const id = await recordShow(1)
    expect(await rowOf(id)).toMatchObject({ file: null })
    freeBytes = 1e12
    const blocked = await insertBroadcast(site)
    mkdirSync(recordingPath(site.dataDir, `${blocked}-1.mp3`), { recursive: true })
    record()
    live.emit('onStart', onAir(blocked))
    live.emit('onTitle', onAir(blocked), { artist: 'still', title: 'noted' })
    live.emit('onFrames', onAir(blocked), mp3Frames({ seconds: 1 }))
    await end(blocked)
    expect(await rowOf(blocked)).toMatchObject({ file: null })
    expect(await tracksOf(blocked)).toHaveLength(1)
    rmSync(recordingPath(site.dataDir, `${blocked}-1.mp3`), { recursive: true })
  })
})

describe('after kill -9', () => {
  test('at most a second is lost, and the broadcast goes on in the same file', async () => {
    const id = await insertBroadcast(site)
    const dir = mkdtempSync(join(tmpdir(), 'killed-'))
    const child = spawn(process.execPath, [...programArgs('recorderProcess'), dir, String(id)])
    let received = 0
    createInterface({ input: child.stdout }).on('line', (line) => {
      received = Number(line)
    })
    await expect.poll(() => received).toBeGreaterThan(60)
    child.kill('SIGKILL')
    await once(child, 'exit')
    mkdirSync(folder(), { recursive: true })
    const file = `${id}-1.mp3`
    copyFileSync(join(dir, file), recordingPath(site.dataDir, file))
    rmSync(dir, { recursive: true })
    // The kernel writes whole buffers: half a frame is what a full disk or a power cut leaves.
    writeFileSync(recordingPath(site.dataDir, file), Buffer.alloc(100, 0xff), { flag: 'a' })
    await db().update(broadcast).set({ file }).where(eq(broadcast.id, id))

    record()
    live.emit('onStart', onAir(id))
    const rest = mp3Frames({ seconds: 1, track: 2 })
    live.emit('onFrames', onAir(id), rest)
    await end(id)
    const whole = createAudioParser('audio/mpeg')?.push(await fileOf(id)) ?? []
    expect((received - whole.length + rest.length) * FRAME).toBeLessThan(1)
    const expected = [...mp3Frames({ seconds: 60 }).slice(0, whole.length - rest.length), ...rest]
    expect(whole.map(({ bytes }) => bytes.toString('hex'))).toEqual(expected.map(({ bytes }) => bytes.toString('hex')))
    expect(decode(await fileOf(id))).toBe('')
    expect((await rowOf(id))?.seconds).toBeCloseTo(whole.length * FRAME, 6)
  })
})

test('a broadcast that goes on on another machine gets a second recording there', async () => {
  const id = await insertBroadcast(site)
  const file = `${id}-1.mp3`
  await db().update(broadcast).set({ file, bytes: 80_000, seconds: 5 }).where(eq(broadcast.id, id))
  record()
  live.emit('onStart', onAir(id))
  live.emit('onFrames', onAir(id), mp3Frames({ seconds: 2 }))
  await end(id)
  const [earlier] = await db().select().from(broadcast).where(eq(broadcast.file, file))
  expect(earlier).toMatchObject({ bytes: 80_000, seconds: 5, streamerName: STREAMER.name, endedAt: expect.any(Date) })
  expect(earlier?.id).not.toBe(id)
  const row = await rowOf(id)
  expect([row?.file, Math.round(row?.seconds ?? 0)]).toEqual([`${id}-2.mp3`, 2])
  await db().delete(broadcast).where(eq(broadcast.file, file))
})

describe('a tracklist', () => {
  test('has each title once, at its position, as one clean and short line', async () => {
    const id = await insertBroadcast(site)
    record()
    const say = (artist: string, title: string) => live.emit('onTitle', onAir(id), { artist, title })
    const play = (seconds: number) => live.emit('onFrames', onAir(id), mp3Frames({ seconds }))
    live.emit('onStart', onAir(id))
    say('One', 'Song')
    play(4)
    say('One', 'Song')
    play(4)
    say('<b>Two</b>\u0000\u001b[2J', `x\u202e\n${'y'.repeat(5000)}`)
    play(2)
    say('', '')
    say('unknown', 'unknown')
    say('Three', 'corrected')
    play(2)
    await end(id)
    const tracks = await tracksOf(id)
    expect(tracks.map(({ seconds }) => Math.round(seconds))).toEqual([0, 8, 10])
    expect(tracks.map(({ artist }) => artist)).toEqual(['One', '<b>Two</b> [2J', 'Three'])
    expect(tracks[1]?.title).toBe(`x ${'y'.repeat(recordingLimits.text - 2)}`)
  })

  test('has a limited length', async () => {
    const id = await insertBroadcast(site, { seconds: 5000 })
    const row = (index: number) => ({ broadcastId: id, seconds: index, artist: 'A', title: `${index}` })
    await db()
      .insert(broadcastTrack)
      .values(Array.from({ length: recordingLimits.tracks }, (_, index) => row(index)))
    record()
    live.emit('onStart', onAir(id))
    live.emit('onTitle', onAir(id), { artist: 'one', title: 'more' })
    live.emit('onFrames', onAir(id), mp3Frames({ seconds: 1 }))
    await end(id)
    expect(await tracksOf(id)).toHaveLength(recordingLimits.tracks)
  })
})

describe('changes', () => {
  const ALL = { guest: 200, member: 200, owner: 200, admin: 200 }
  const OWN = { guest: 401, member: 403, owner: 200, admin: 200 }
  const HIDDEN = { guest: 404, member: 404, owner: 200, admin: 200 }
  type Who = keyof typeof ALL
  const put = (id: number, who: Who, json: object) =>
    callApi(site, 'PUT', `/api/radio/broadcasts/${id}`, { token: tokens[who], json })

  async function ownShow(seconds = 3): Promise<number> {
    const user = await findUser(db(), 'owner@example.org')
    const userId = user?.id ?? ''
    await db()
      .insert(streamer)
      .values({ userId, name: 'Owner', passwordHash: Buffer.alloc(32), createdAt: new Date() })
      .onConflictDoNothing()
    return recordShow(seconds, { userId, streamerName: 'Owner' })
  }

  test.each<[string, Record<Who, number>, boolean, (id: number, who: Who) => ReturnType<typeof callApi>]>([
    ['read', ALL, false, (id, who) => callApi(site, 'GET', `/api/radio/broadcasts/${id}`, { token: tokens[who] })],
    [
      'read when hidden',
      HIDDEN,
      true,
      (id, who) => callApi(site, 'GET', `/api/radio/broadcasts/${id}`, { token: tokens[who] }),
    ],
    ['rename', OWN, false, (id, who) => put(id, who, { title: 'New' })],
    ['show again', { ...HIDDEN, guest: 401 }, true, (id, who) => put(id, who, { isHidden: false })],
    ['delete', OWN, false, (id, who) => callApi(site, 'DELETE', `/api/radio/broadcasts/${id}`, { token: tokens[who] })],
  ])('%s', async (_name, expected, isHidden, run) => {
    const id = await ownShow(1)
    await db().update(broadcast).set({ isHidden }).where(eq(broadcast.id, id))
    for (const who of ['guest', 'member', 'owner', 'admin'] as const) {
      if (expected === OWN && who === 'admin') await ownShow(1)
      const { status } = await run(who === 'admin' && expected[who] === 200 ? await ownShow(1) : id, who)
      expect([who, status]).toEqual([who, expected[who]])
    }
  })

  test('show at once, in the list, in the page and in the podcast', async () => {
    const id = await ownShow()
    const tracks = [
      { seconds: 2, artist: 'B', title: '' },
      { seconds: 0.5, artist: '', title: '<i>A</i>' },
    ]
    expect((await put(id, 'owner', { title: 'Renamed', tracks })).status).toBe(200)
    const { body } = await callApi(site, 'GET', `/api/radio/broadcasts/${id}`)
    expect(body.broadcast).toMatchObject({ title: 'Renamed', tracks: tracks.toReversed(), thread: null, posts: [] })
    expect((await broadcastsOf('Owner')).find((one) => one.id === id)).toMatchObject({ title: 'Renamed', tracks: 2 })
    expect((await get('/archive/podcast.xml')).body).toContain('<title>Renamed</title>')
    await put(id, 'owner', { isHidden: true })
    expect((await broadcastsOf('Owner')).some((one) => one.id === id)).toBe(false)
    expect((await get('/archive/podcast.xml')).body).not.toContain('<title>Renamed</title>')
    expect((await get(`/archive/broadcast/${id}/chapters.json`)).statusCode).toBe(404)
    const { body: list } = await callApi(site, 'GET', '/api/radio/station/1/streamers')
    const { id: streamerId } = list.streamers.find((one: { display_name: string }) => one.display_name === 'Owner')
    expect((await get(`/api/radio/station/1/streamer/${streamerId}/broadcast/${id}/download`)).statusCode).toBe(404)
    await put(id, 'owner', { isHidden: false })
    await callApi(site, 'DELETE', `/api/radio/broadcasts/${id}`, { token: tokens.owner })
    expect(existsSync(recordingPath(site.dataDir, `${id}-1.mp3`))).toBe(false)
    expect(await rowOf(id)).toMatchObject({ file: null, title: 'Renamed' })
    expect((await put(id, 'owner', { title: 'Gone' })).status).toBe(404)
  })

  test.each([
    ['an empty title', { title: ' ' }],
    ['a long title', { title: 'x'.repeat(101) }],
    ['a title of two lines', { title: 'a\nb' }],
    ['an invisible title', { title: '\u200b' }],
    ['a flag as text', { isHidden: 'yes' }],
    ['tracks of another type', { tracks: 'A - B' }],
    ['a track without a text', { tracks: [{ seconds: 0, artist: ' ', title: '' }] }],
    ['a negative position', { tracks: [{ seconds: -1, artist: 'a', title: 'b' }] }],
    ['a position as text', { tracks: [{ seconds: '1', artist: 'a', title: 'b' }] }],
    ['a position after the end', { tracks: [{ seconds: 5000, artist: 'a', title: 'b' }] }],
    ['a NUL', { tracks: [{ seconds: 0, artist: '\0', title: 'b' }] }],
    ['too many tracks', { tracks: Array.from({ length: 1001 }, () => ({ seconds: 0, artist: 'a', title: 'b' })) }],
  ])('are refused: %s', async (_name, json) => {
    const [shown] = await broadcastsOf('Owner')
    const { status, body } = await put(shown?.id ?? 0, 'owner', json)
    expect([status, body.success]).toEqual([400, false])
  })

  test.each(['0', '-1', 'x', '99999', '281474976710656', '9'.repeat(30), '__proto__', '%00'])(
    'of broadcast %s: 404',
    async (id) => {
      expect((await callApi(site, 'GET', `/api/radio/broadcasts/${id}`)).status).toBe(404)
      const { status } = await callApi(site, 'PUT', `/api/radio/broadcasts/${id}`, { token: tokens.admin, json: {} })
      expect(status).toBe(404)
    },
  )
})

describe('the job', () => {
  test('deletes expired recordings, and the oldest ones beyond the quota', async () => {
    await db().delete(broadcast)
    const ids = []
    for (const [day, seconds] of [
      [1, 1],
      [5, 10],
      [19, 10],
      [20, 10],
    ] as const) {
      const startedAt = new Date(Date.UTC(2026, 10, day))
      ids.push(await recordShow(seconds, { startedAt }))
    }
    await db()
      .update(broadcast)
      .set({ endedAt: new Date('2026-10-01') })
      .where(eq(broadcast.id, ids[0] ?? 0))
    const running = await insertBroadcast(site, {
      file: '999999-1.mp3',
      bytes: 100_000,
      startedAt: new Date('2026-01-01'),
    })
    await cleanUpRecordings(site.app.services)
    const files = await Promise.all([...ids, running].map(async (id) => (await rowOf(id))?.file))
    expect(files).toEqual([null, null, null, `${ids[3]}-1.mp3`, '999999-1.mp3'])
    expect(existsSync(recordingPath(site.dataDir, `${ids[2]}-1.mp3`))).toBe(false)
    expect((await broadcastsOf()).map(({ id }) => id)).toEqual([ids[3]])
  })

  test('deletes old files without a broadcast, and no other files', async () => {
    const put = (name: string, age: number) => {
      writeFileSync(recordingPath(site.dataDir, name), 'x')
      const time = new Date(site.app.services.now().getTime() - age)
      utimesSync(recordingPath(site.dataDir, name), time, time)
    }
    put('777-1.mp3', 2 * DAY_MS)
    put('778-1.mp3', 60_000)
    put('my song.mp3', 100 * DAY_MS)
    const before = readdirSync(folder())
    await cleanUpRecordings(site.app.services)
    expect(before.filter((name) => !readdirSync(folder()).includes(name))).toContain('777-1.mp3')
    expect(readdirSync(folder())).toEqual(expect.arrayContaining(['778-1.mp3', 'my song.mp3']))
  })
})

test('a streamer with files and recordings is listed once', async () => {
  const shows = join(site.dataDir, 'radio', 'shows', STREAMER.name)
  mkdirSync(shows, { recursive: true })
  writeFileSync(join(shows, '2026-02-22.mp3'), mp3({ seconds: 3 }))
  utimesSync(join(shows, '2026-02-22.mp3'), new Date(0), new Date(0))
  site.setNow(new Date('2026-11-21T13:00:00Z'))
  const { body } = await callApi(site, 'GET', '/api/radio/station/1/streamers')
  expect(body.streamers.filter((one: { display_name: string }) => one.display_name === STREAMER.name)).toHaveLength(1)
  const listed = await broadcastsOf()
  expect(listed.map(({ timestampStart }) => timestampStart)).toEqual([
    '2026-11-20T00:00:00.000Z',
    '2026-02-22T00:00:00.000Z',
  ])
})

test('episodes of a podcast have different titles and links to their recordings', async () => {
  for (const [index, title] of ['Drones', 'Drones', 'Noise', null, null].entries()) {
    await recordShow(2, { streamerName: 'Twice', title, startedAt: new Date(Date.UTC(2026, 10, 20, 10 + index)) })
  }
  // A part of a show that changed its format within a minute.
  await recordShow(2, { streamerName: 'Twice', title: null, startedAt: new Date('2026-11-20T14:00:30Z') })
  await site.app.services.cache.clear()
  const { body: list } = await callApi(site, 'GET', '/api/radio/station/1/streamers')
  const { id } = list.streamers.find((one: { display_name: string }) => one.display_name === 'Twice')
  const items = findAll(parseXml((await get(`/archive/streamer/${id}/podcast.xml`)).body), 'item')
  expect(items.map((item) => childText(item, 'title')).toSorted()).toEqual([
    'Drones, 20/11/2026 10:00 UTC',
    'Drones, 20/11/2026 11:00 UTC',
    'Noise',
    'Twice, 20/11/2026 13:00 UTC',
    'Twice, 20/11/2026 14:00:00 UTC',
    'Twice, 20/11/2026 14:00:30 UTC',
  ])
  const links = items.map((item) => childText(item, 'link'))
  const listed = (await broadcastsOf('Twice')).map((broadcast) => broadcast.id)
  expect(links).toEqual(listed.map((one) => `https://dtp.example.org/archive?streamer=${id}#broadcast-${one}`))
})

test('a podcast has all that podcast apps need', async () => {
  const name = '<DJ> & "friends" \'x\''
  const id = await recordShow(4, { streamerName: name, title: '</title><script>alert(1)</script>' })
  await db()
    .insert(broadcastTrack)
    .values([
      { broadcastId: id, seconds: 0, artist: 'A & B', title: 'First' },
      { broadcastId: id, seconds: 2.5, artist: '', title: 'Second' },
      { broadcastId: id, seconds: 99, artist: 'after', title: 'the end' },
    ])
  await site.app.services.cache.clear()
  const { body: list } = await callApi(site, 'GET', '/api/radio/station/1/streamers')
  const { id: streamerId } = list.streamers.find((one: { display_name: string }) => one.display_name === name)
  for (const path of ['/archive/podcast.xml', `/archive/streamer/${streamerId}/podcast.xml`]) {
    const { statusCode, headers, body } = await get(path)
    expect([statusCode, headers['content-type']]).toEqual([200, 'application/rss+xml; charset=utf-8'])
    const rss = parseXml(body)
    expect([rss.name, rss.attributes.version]).toEqual(['rss', '2.0'])
    const [channel] = findAll(rss, 'channel')
    for (const required of ['title', 'link', 'description', 'language', 'itunes:author', 'itunes:explicit']) {
      expect([required, childText(channel as XmlElement, required)]).not.toEqual([required, ''])
    }
    expect(findAll(rss, 'atom:link')[0]?.attributes.href).toBe(`https://dtp.example.org${path}`)
    expect(findAll(rss, 'itunes:image')[0]?.attributes.href).toBe('https://dtp.example.org/podcast.jpg')
    const artwork = { format: 'jpeg', width: 1400, height: 1400, space: 'srgb', channels: 3 }
    expect(await sharp(readFileSync('public/podcast.jpg')).metadata()).toMatchObject(artwork)
    const items = findAll(rss, 'item')
    expect(new Set(items.map((item) => childText(item, 'guid'))).size).toBe(items.length)
    const item = items.find((one) => childText(one, 'title').includes('<script>')) as XmlElement
    expect(childText(item, 'itunes:author')).toBe(name)
    expect(childText(item, 'itunes:duration')).toBe('4')
    expect(childText(item, 'pubDate')).toBe('Fri, 20 Nov 2026 20:00:03 GMT')
    const { url, length, type } = findAll(item, 'enclosure')[0]?.attributes ?? {}
    const file = await get(new URL(url ?? '').pathname)
    expect([file.statusCode, file.rawPayload.length, file.headers['content-type']]).toEqual([200, Number(length), type])
    const chapters = await get(new URL(findAll(item, 'podcast:chapters')[0]?.attributes.url ?? '').pathname)
    expect(chapters.headers['access-control-allow-origin']).toBe('*')
    expect(chapters.json()).toMatchObject({
      version: '1.2.0',
      chapters: [
        { startTime: 0, title: 'A & B – First' },
        { startTime: 2.5, title: 'Second' },
      ],
    })
    const etag = String(headers.etag)
    expect((await get(path, { 'if-none-match': etag })).statusCode).toBe(304)
  }
  for (const path of ['/archive/streamer/7/podcast.xml', '/archive/broadcast/9999999/chapters.json']) {
    expect([path, (await get(path)).statusCode]).toEqual([path, 404])
  }
})
