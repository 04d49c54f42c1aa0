import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { UNKNOWN_NOW_PLAYING } from '#src/contract/radio.ts'
import { formatClockTime } from '#src/lib/formatTime.ts'
import { parseResumePositions, type ResumePositions, updateResumePositions } from '#src/player/audio/resumePositions.ts'
import { statusText } from '#src/player/bar/TrackStatus.tsx'
import { chooseStation, resume } from '#src/player/engine.ts'
import { backoffMs, startStallWatchdog } from '#src/player/integrations/stallWatchdog.ts'
import { initialPlayer, setPlayer } from '#src/player/store.ts'
import { getTrackDisplay } from '#src/player/trackDisplay.ts'

describe('backoff', () => {
  test('doubles from half a second to thirty seconds', () => {
    const waits = Array.from({ length: 8 }, (_, attempt) => backoffMs(attempt, () => 1))
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  })

  test('adds jitter and is never zero', () => {
    expect(backoffMs(3, () => 0)).toBe(2000)
    expect(backoffMs(0, () => 0)).toBe(250)
    expect(backoffMs(5000, () => 0)).toBe(15_000)
  })
})

describe('a stream that ends', () => {
  afterEach(() => {
    setPlayer({ status: 'paused', stationId: 1 })
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  const loads: string[] = []
  const audio = Object.assign(new EventTarget(), { currentTime: 9, error: false, play: async () => {} })
  const load = (url: string) => {
    audio.error = false
    loads.push(url)
  }
  Object.defineProperty(audio, 'src', { set: load, get: () => loads.at(-1) ?? '' })
  const document = { createElement: () => audio, body: { append: () => {} }, hidden: false }
  beforeEach(() => {
    loads.length = 0
    vi.useFakeTimers()
    vi.stubGlobal('document', Object.assign(new EventTarget(), document))
    vi.stubGlobal('window', new EventTarget())
    vi.stubGlobal('location', { href: 'http://site.example/', origin: 'http://site.example' })
    vi.stubGlobal('navigator', { onLine: true, userAgent: '', platform: '' })
    startStallWatchdog()
  })

  test('is loaded again when its delay is over, not at the next check, and after the clock was set back', () => {
    setPlayer({ status: 'playing' })
    audio.dispatchEvent(new Event('ended'))
    expect(loads).toEqual([])
    vi.advanceTimersByTime(500)
    expect(loads).toEqual(['http://site.example/radio/1/stream'])
    // It stays silent, and the system sets its clock back.
    vi.advanceTimersByTime(2000)
    vi.setSystemTime(Date.now() - 3_600_000)
    vi.advanceTimersByTime(15_000)
    expect(loads).toHaveLength(2)
  })

  test('before it has played is not loaded again once another station is chosen', () => {
    setPlayer({ status: 'starting' })
    audio.dispatchEvent(new Event('ended'))
    chooseStation(2)
    setPlayer({ status: 'playing' })
    vi.advanceTimersByTime(1000)
    expect(loads).toEqual(['http://site.example/radio/2/stream'])
  })

  test('while it is paused is loaded once when it plays again', () => {
    audio.error = true
    resume()
    setPlayer({ status: 'playing' })
    vi.advanceTimersByTime(1000)
    expect(loads).toEqual(['http://site.example/radio/1/stream'])
  })

  test('before the player watches it is loaded again', () => {
    setPlayer({ status: 'starting' })
    audio.error = true
    startStallWatchdog()
    vi.advanceTimersByTime(1000)
    expect(loads).toEqual(['http://site.example/radio/1/stream'])
  })
})

describe('resume positions', () => {
  test('move and become the newest', () => {
    const places = updateResumePositions(updateResumePositions([], '1/2/3', 100, 7200), '1/2/4', 50, 7200)
    expect(updateResumePositions(places, '1/2/3', 200.6, 7200)).toEqual([
      ['1/2/4', 50],
      ['1/2/3', 201],
    ])
  })

  test.each([
    ['positions at the start', 0],
    ['positions just after the start', 9.9],
    ['positions at the end', 7200],
    ['positions just before the end', 7191],
  ])('%s are not stored', (_name, seconds) => {
    expect(updateResumePositions([['1/2/3', 100]], '1/2/3', seconds, 7200)).toEqual([])
  })

  test('keep the latest fifty', () => {
    let places: ResumePositions = []
    for (let show = 1; show <= 60; show += 1) places = updateResumePositions(places, `1/1/${show}`, 100, 7200)
    expect(places).toHaveLength(50)
    expect(places[0]).toEqual(['1/1/11', 100])
  })

  test.each([
    [null, []],
    ['', []],
    [{ '1/2/3': 5 }, []],
    [[1, null, ['a'], ['a', 'b'], ['a', -1], [5, 5], ['a', Number.POSITIVE_INFINITY], ['ok', 5]], [['ok', 5]]],
  ])('parse %j and skip invalid entries', (kept, places) => {
    expect(parseResumePositions(kept)).toEqual(places)
  })
})

test.each([
  [0, '0:00'],
  [5.9, '0:05'],
  [65, '1:05'],
  [2691, '44:51'],
  [3600, '1:00:00'],
  [7082, '1:58:02'],
  [-3, '0:00'],
])('formats %d seconds as %s', (seconds, text) => {
  expect(formatClockTime(seconds)).toBe(text)
})

describe('track display', () => {
  const nowPlaying = {
    ...UNKNOWN_NOW_PLAYING,
    song: { title: 'Carrier Lost', artist: 'Lowpass Choir', album: '', art: '/art' },
    online: true,
    available: true,
  }
  const shown = (change: Partial<typeof nowPlaying>) =>
    getTrackDisplay({ ...initialPlayer, nowPlaying: { ...nowPlaying, ...change } })

  test('shows the song', () => {
    expect(shown({})).toEqual({
      title: 'Carrier Lost',
      artist: 'Lowpass Choir',
      art: '/art',
      isKnown: true,
      host: null,
      streamer: null,
    })
  })

  test('is empty before the first answer and while nothing is on air', () => {
    expect(getTrackDisplay(initialPlayer).title).toBe('No track playing')
    expect(shown({ online: false }).title).toBe('No track playing')
  })

  test('is Unknown when the radio service does not answer', () => {
    const { title, artist, isKnown } = getTrackDisplay({ ...initialPlayer, nowPlaying: UNKNOWN_NOW_PLAYING })
    expect([title, artist, isKnown]).toEqual(['Unknown', 'Unknown', false])
  })

  test('shows the live host, and Unknown for a song without a title', () => {
    expect(shown({ live: { isLive: true, streamer: 'ferrite' } }).host).toBe('ferrite')
    expect(shown({ live: { isLive: true, streamer: '' } }).host).toBe('')
    expect(shown({ song: { ...nowPlaying.song, title: '' } }).title).toBe('Unknown')
  })
})

test.each([
  ['paused', false, ''],
  ['paused', true, ''],
  ['playing', false, ''],
  ['playing', true, ''],
  ['starting', false, 'Connecting…'],
  ['reconnecting', false, 'Reconnecting…'],
  ['starting', true, 'Offline'],
  ['reconnecting', true, 'Offline'],
] as const)('%s, offline %s: %j', (status, offline, text) => {
  expect(statusText({ status, offline })).toBe(text)
})
