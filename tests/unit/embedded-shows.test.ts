import { appendFileSync, mkdirSync, rmSync, symlinkSync, truncateSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { parseFilenameDate } from '#server/features/radio/library/shows.ts'
import { openStation, put } from '#tests/helpers/embeddedStation.ts'
import { mp3 } from '#tests/helpers/mp3.ts'

const opened: { remove(): void }[] = []
afterEach(() => {
  for (const station of opened.splice(0)) station.remove()
})

const LONG_AGO = new Date('2026-10-01T20:00:00.000Z')
const signal = new AbortController().signal

function station() {
  const opening = openStation({ time: '2026-11-21T12:00:00.000Z' })
  opened.push(opening)
  const putShow = (name: string, bytes: Buffer | string, modified = LONG_AGO) => {
    const path = put(opening.dir, `shows/${name}`, bytes)
    utimesSync(path, modified, modified)
    return path
  }
  return { ...opening, put: putShow }
}

async function bytesOf(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of body) parts.push(part)
  return Buffer.concat(parts)
}

const show = (seconds = 10, title?: string) => mp3({ seconds, ...(title && { tags: { title } }) })

describe('streamers', () => {
  test('are the folders, with their descriptions and the same ids in every process', async () => {
    const { put, source, dir } = station()
    put('dj zed/one.mp3', show())
    put('dj zed/about.txt', '  Noise from the cellar.\n\u0000Fridays.\n')
    put('Ada/one.mp3', show())
    put('Ada/about.txt', 'x'.repeat(100_000))
    put('.hidden/one.mp3', show())
    put('loose.mp3', show())
    mkdirSync(join(dir, 'shows/empty'))
    symlinkSync('/etc', join(dir, 'shows/linked'))
    const streamers = await source.streamers(1)
    expect(streamers.map(({ streamer_username, display_name }) => [streamer_username, display_name])).toEqual([
      ['Ada', 'Ada'],
      ['dj zed', 'dj zed'],
      ['empty', 'empty'],
    ])
    expect(streamers[0]?.comments).toHaveLength(4096)
    expect(streamers.slice(1).map(({ comments }) => comments)).toEqual(['Noise from the cellar.\nFridays.', null])
    const ids = streamers.map(({ id }) => id)
    for (const id of ids) expect(Number.isSafeInteger(id) && id > 0 && id < 2 ** 48).toBe(true)
    expect(new Set(ids).size).toBe(3)
    expect((await openStation({ dir }).source.streamers(1)).map(({ id }) => id)).toEqual(ids)
    expect(await source.broadcasts(1, ids[2] ?? 0)).toEqual([])
  })

  test('are empty without a folder', async () => {
    expect(await station().source.streamers(1)).toEqual([])
  })
})

describe('broadcasts', () => {
  test('have times, lengths and titles', async () => {
    const { put, source, clock } = station()
    put('dj/2026-11-18.mp3', show(60, 'Named Night'))
    put('dj/stream_20260222-200000.mp3', show(90))
    put('dj/no date.mp3', show(30))
    put('dj/notes.txt', 'no recording')
    put('dj/.2026-11-19.mp3', show())
    put('dj/broken 2026-11-19.mp3', 'no sound in here')
    put('dj/deeper/2026-11-19.mp3', show())
    const growing = put('dj/live 2026-11-21 11-00.mp3', show(20), new Date(clock.ms - 5000))
    const [dj] = await source.streamers(1)
    const broadcasts = await source.broadcasts(1, dj?.id ?? 0)
    const told = broadcasts.map(({ title, timestampStart, timestampEnd }) => [title, timestampStart, timestampEnd])
    expect(told).toEqual([
      ['Named Night', '2026-11-18T00:00:00.000Z', expect.stringMatching(/^2026-11-18T00:0(0:59|1:00)\.\d+Z$/)],
      [null, '2026-11-21T11:00:00.000Z', null],
      [null, expect.stringMatching(/^2026-10-01T19:59:(29|30)/), '2026-10-01T20:00:00.000Z'],
      [null, '2026-02-22T20:00:00.000Z', expect.stringMatching(/^2026-02-22T20:01:(29|30)/)],
    ])
    expect(broadcasts[0]?.recording).toEqual({ size: show(60, 'Named Night').length })
    const ids = broadcasts.map(({ id }) => id)
    expect(new Set(ids).size).toBe(4)

    // the show continues and then ends; its id stays the same
    appendFileSync(growing, show(20))
    utimesSync(growing, new Date(clock.ms), new Date(clock.ms))
    clock.ms += 10_000
    const [, running] = await source.broadcasts(1, dj?.id ?? 0)
    expect(running).toMatchObject({ id: ids[1], timestampEnd: null, recording: { size: 2 * show(20).length } })
    clock.ms += 30_000
    const [, over] = await source.broadcasts(1, dj?.id ?? 0)
    expect(over?.id).toBe(ids[1])
    expect(over?.timestampEnd).toMatch(/^2026-11-21T11:00:(39|40)/)
  })

  test('include a show that has just started and has no audio yet', async () => {
    const { put, source, clock } = station()
    put('dj/new.mp3', '', new Date(clock.ms - 1000))
    const [dj] = await source.streamers(1)
    expect(await source.broadcasts(1, dj?.id ?? 0)).toMatchObject([{ timestampEnd: null, recording: { size: 0 } }])
  })

  test('reject unknown streamers', async () => {
    const { source } = station()
    for (const id of [0, -1, 1, Number.NaN, 2 ** 47]) {
      await expect(source.broadcasts(1, id)).rejects.toMatchObject({
        code: 'NOT_FOUND',
        message: 'Broadcast not found',
      })
    }
  })

  test.each([
    ['2026-11-18.mp3', '2026-11-18T00:00:00.000Z'],
    ['show 20261118 live.mp3', '2026-11-18T00:00:00.000Z'],
    ['stream_20260222-200000.mp3', '2026-02-22T20:00:00.000Z'],
    ['2026-11-18 21-30-05 x.mp3', '2026-11-18T21:30:05.000Z'],
    ['2026-11-18T21:30.mp3', '2026-11-18T21:30:00.000Z'],
    ['2026.11.18_2130.mp3', '2026-11-18T21:30:00.000Z'],
    ['2026-11-18 99-99.mp3', '2026-11-18T00:00:00.000Z'],
    ['20261118-2.mp3', '2026-11-18T00:00:00.000Z'],
    ['2026-02-30.mp3', null],
    ['2026-13-01.mp3', null],
    ['120261118.mp3', null],
    ['00000101.mp3', null],
    ['show.mp3', null],
  ])('parses the file name %s', (name, start) => {
    expect(parseFilenameDate(name)?.toISOString() ?? null).toBe(start)
  })
})

describe('a recording', () => {
  async function recorded(bytes = show(30)) {
    const here = station()
    const path = here.put('dj/2026-11-18.mp3', bytes)
    const [dj] = await here.source.streamers(1)
    const [broadcast] = await here.source.broadcasts(1, dj?.id ?? 0)
    const ids = { stationId: 1, streamerId: dj?.id ?? 0, broadcastId: broadcast?.id ?? 0 }
    return { ...here, path, bytes, ids }
  }

  test('is sent whole and in ranges', async () => {
    const { source, ids, bytes } = await recorded()
    const whole = await source.openRecording(ids, null, signal)
    expect(whole).toMatchObject({ type: 'audio/mpeg', size: bytes.length, isPart: false })
    expect((await bytesOf(whole.body)).equals(bytes)).toBe(true)
    const part = await source.openRecording(ids, { start: 1000, end: 200_000 }, signal)
    expect(part).toMatchObject({ type: 'audio/mpeg', size: bytes.length, isPart: true })
    expect((await bytesOf(part.body)).equals(bytes.subarray(1000, 200_001))).toBe(true)
    const beyond = await source.openRecording(ids, { start: bytes.length - 5, end: bytes.length }, signal)
    expect((await bytesOf(beyond.body)).equals(bytes.subarray(-5))).toBe(true)
  })

  test('is not found by another id', async () => {
    const { source, ids } = await recorded()
    const unknown = { code: 'NOT_FOUND', message: 'Broadcast not found' }
    for (const wrong of [{ streamerId: 5 }, { broadcastId: 5 }, { broadcastId: ids.streamerId }]) {
      await expect(source.openRecording({ ...ids, ...wrong }, null, signal)).rejects.toMatchObject(unknown)
    }
  })

  test('ends with the signal, and early when the file is truncated', async () => {
    const { source, ids, path, bytes } = await recorded(show(120))
    const end = new AbortController()
    const { body } = await source.openRecording(ids, null, end.signal)
    let read = 0
    const reading = (async () => {
      for await (const part of body) {
        read += part.length
        end.abort()
      }
    })()
    await expect(reading).rejects.toThrow('aborted')
    expect(read).toBeLessThan(bytes.length)
    const shrinking = await source.openRecording(ids, null, signal)
    truncateSync(path, 1000)
    expect(await bytesOf(shrinking.body)).toHaveLength(1000)
    const going = await source.openRecording(ids, null, signal)
    rmSync(path)
    await expect(bytesOf(going.body)).rejects.toThrow()
    await expect(source.openRecording(ids, null, signal)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('does not follow a link that replaced it', async () => {
    const { source, ids, path, put, bytes } = await recorded()
    const { body } = await source.openRecording(ids, null, signal)
    rmSync(path)
    symlinkSync(put('elsewhere.bin', bytes), path)
    await expect(bytesOf(body)).rejects.toThrow('ELOOP')
    await expect(source.openRecording(ids, null, signal)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
