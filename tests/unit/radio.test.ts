import { beforeEach, expect, test } from 'vitest'
import { readConfig } from '#server/core/config/config.ts'
import { errors } from '#server/core/errors.ts'
import { createRadio } from '#server/features/radio/createRadio.ts'
import { findRecording } from '#server/features/radio/record/archive/service.ts'
import { type RadioSource, RadioUnavailable, type SourceNowPlaying } from '#server/features/radio/types.ts'
import { type Broadcast, hasEnded } from '#src/contract/archive.ts'
import { refusal } from '#src/contract/refusal.ts'
import { defaultSite } from '#src/contract/site.ts'
import { testProcessor } from '#tests/helpers/imageProcessor.ts'
import { automaticStation } from '#tests/helpers/liveStation.ts'

const RECORDING = { stationId: 1, streamerId: 3, broadcastId: 7 }
const station = (id: number, listenUrl = 'http://radio.example:8000/radio.mp3') => ({
  ...{ id, name: `Station ${id}`, description: '', listenUrl },
})
const onAir = {
  song: { title: 'T', artist: 'A', album: '', art: null },
  ...{ elapsed: 0, duration: 0, listeners: null, live: { isLive: false, streamer: '' }, history: [] },
}

let source: RadioSource
let asked: string[]
let logged: string[]
let time: number
beforeEach(() => {
  asked = []
  logged = []
  time = Date.now()
  const answers =
    <T>(name: string, answer: T) =>
    async (...args: unknown[]) => {
      asked.push([name, ...args.filter((one) => typeof one === 'number')].join(' '))
      return answer
    }
  const ended = { title: null, timestampStart: '2026-01-01T00:00:00.000Z', timestampEnd: '2026-01-01T01:00:00.000Z' }
  source = {
    stations: answers('stations', [station(1), station(2, '')]),
    nowPlaying: answers('nowPlaying', onAir),
    streamers: answers('streamers', [{ id: 3, streamer_username: 'dj', display_name: 'DJ', comments: null }]),
    broadcasts: answers('broadcasts', [{ id: 7, recording: { size: 1 }, ...ended }]),
    openStream: answers('openStream', nothing()),
    openRecording: answers('openRecording', {
      type: 'audio/mpeg',
      size: 0,
      isPart: false,
      body: nothing(),
    }),
    readArt: answers('readArt', Buffer.alloc(0)),
    close: async () => {},
  }
})

async function* nothing(): AsyncGenerator<never> {}

const images = testProcessor()

function radioOf(env: Record<string, string> = {}) {
  const log = (level: string) => (_details: unknown, message?: string) => void logged.push(`${level}: ${message}`)
  return createRadio({
    source,
    site: defaultSite,
    config: readConfig({ SITE_URL: 'https://site.example', ...env }),
    eventHub: { hasSubscribers: () => false, broadcast: () => {} },
    images,
    secret: new Uint8Array(32),
    live: automaticStation,
    log: { info: log('info'), warn: log('warn'), error: log('error') },
    now: () => new Date(time),
  })
}

test('reports an error of the source as unavailable and logs it', async () => {
  const fault = async (): Promise<never> => {
    throw new TypeError('a bug')
  }
  Object.assign(source, { stations: fault, nowPlaying: fault, streamers: fault, openRecording: fault })
  const radio = radioOf()
  expect(await radio.stations()).toEqual({ stations: [], available: false })
  expect(await radio.nowPlaying(1)).toMatchObject({ available: false, song: { title: 'Unknown' } })
  expect(await radio.streamers(1)).toEqual({ streamers: [], available: false })
  await expect(radio.assertStation(9)).resolves.toBeUndefined()
  await expect(radio.openRecording(RECORDING, null, AbortSignal.timeout(1000))).rejects.toThrow(RadioUnavailable)
  expect(logged).toContain('error: radio source failed unexpectedly')
})

test('logs an outage and the recovery once each', async () => {
  const { stations } = source
  source.stations = async () => {
    throw new RadioUnavailable('down')
  }
  const radio = radioOf()
  for (let poll = 0; poll < 5; poll++) {
    await radio.stations()
    time += 4000
  }
  source.stations = stations
  await radio.stations()
  time += 11_000
  await radio.stations()
  expect(logged).toEqual(['warn: radio source is unavailable', 'info: radio source recovered'])
})

test('does not count a download that a client aborts as a failure', async () => {
  const abort = new AbortController()
  source.openRecording = async () => {
    abort.abort()
    throw new RadioUnavailable('no answer in time')
  }
  await expect(radioOf().openRecording(RECORDING, null, abort.signal)).rejects.toThrow(RadioUnavailable)
  expect(logged).toEqual([])
})

test('refuses ids that are not listed', async () => {
  const radio = radioOf()
  const missing = { code: 'NOT_FOUND', message: 'Broadcast not found' }
  await expect(radio.nowPlaying(9)).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'Station not found' })
  await expect(radio.streamers(9)).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'Station not found' })
  await expect(radio.broadcasts(1, 4)).rejects.toMatchObject(missing)
  for (const change of [{ streamerId: 4 }, { broadcastId: 8 }, { stationId: 9 }]) {
    await expect(findRecording({ radio }, { ...RECORDING, ...change })).rejects.toMatchObject(missing)
  }
  expect(await findRecording({ radio }, RECORDING)).toMatchObject({ size: 1 })
  expect(asked).toEqual(['stations', 'streamers 1', 'broadcasts 1 3'])
})

test('rejects impossible ids even while the service is down', async () => {
  const away = async (): Promise<never> => {
    throw new RadioUnavailable('down')
  }
  Object.assign(source, { stations: away, nowPlaying: away, streamers: away, broadcasts: away })
  const radio = radioOf()
  const missing = { code: 'NOT_FOUND', message: 'Broadcast not found' }
  await expect(radio.nowPlaying(-1)).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'Station not found' })
  await expect(radio.streamers(-1)).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'Station not found' })
  await expect(radio.broadcasts(1, -1)).rejects.toMatchObject(missing)
  await expect(findRecording({ radio }, { ...RECORDING, broadcastId: -1 })).rejects.toMatchObject(missing)
  await expect(findRecording({ radio }, RECORDING)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})

test('rejects a station that was removed', async () => {
  const radio = radioOf()
  await radio.nowPlaying(1)
  source.nowPlaying = () => Promise.reject(errors.notFound(refusal('radio.stationNotFound')))
  time += 11_000
  await expect(radio.nowPlaying(1)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test("allows the service's origins in the policy only for direct streams", async () => {
  source.stations = async () => [station(1, 'https://radio.example:8000/radio.mp3'), station(2, '')]
  const radio = radioOf({ RADIO_DIRECT: 'on' })
  expect(radio.mediaSources()).toEqual(['https:', 'http:'])
  expect((await radio.stations()).stations.map(({ listen_url, direct }) => [listen_url, direct])).toEqual([
    ['https://radio.example:8000/radio.mp3', true],
    ['https://site.example/radio/2/stream', false],
  ])
  expect(radio.mediaSources()).toEqual(['https://radio.example:8000'])
  expect(radioOf().mediaSources()).toEqual([])
})

test('relays an http stream to a page with https, and logs it once', async () => {
  const radio = radioOf({ RADIO_DIRECT: 'on' })
  for (let asked = 0; asked < 2; asked++) {
    expect((await radio.stations()).stations[0]).toMatchObject({
      listen_url: 'https://site.example/radio/1/stream',
      direct: false,
    })
    expect(radio.mediaSources()).toEqual([])
  }
  expect(logged).toEqual([expect.stringMatching(/^warn: The relay serves this station despite RADIO_DIRECT/)])
  const plain = radioOf({ RADIO_DIRECT: 'on', SITE_URL: 'http://site.example' })
  expect((await plain.stations()).stations[0]).toMatchObject({ direct: true })
})

test('ends a recorded broadcast without an end unless its streamer is live with it', async () => {
  const broadcast = (id: number, hour: number, recording: object | null = { size: 1 }) => ({
    ...{ id, title: null, timestampStart: `2026-01-01T0${hour}:00:00.000Z`, timestampEnd: null, recording },
  })
  source.broadcasts = async () => [broadcast(9, 5), broadcast(8, 4), broadcast(7, 3, null)] as Broadcast[]
  const ended = async (live: SourceNowPlaying['live'] | null) => {
    source.nowPlaying = async () => {
      if (live) return { ...onAir, live }
      throw new RadioUnavailable('down')
    }
    const { broadcasts } = await radioOf().broadcasts(1, 3)
    return broadcasts
      .filter(hasEnded)
      .map(({ id, timestampStart, timestampEnd }) => [id, timestampEnd === timestampStart])
  }
  expect(await ended({ isLive: false, streamer: '' })).toEqual([
    [9, true],
    [8, true],
  ])
  expect(await ended({ isLive: true, streamer: 'Another' })).toHaveLength(2)
  expect(await ended({ isLive: true, streamer: 'DJ' })).toEqual([[8, true]])
  expect(await ended(null)).toEqual([[8, true]])
})

test('requests nothing before first use', async () => {
  const radio = radioOf()
  await radio.art('x', 'large')
  radio.mediaSources()
  await radio.close()
  expect(asked).toEqual([])
})
