import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  getNextPage,
  parseBroadcasts,
  parseNowPlaying,
  parseStations,
  parseStreamers,
} from '#server/features/radio/azuracast/parseResponses.ts'
import { RadioUnavailable } from '#server/features/radio/types.ts'
import { runs } from '#tests/helpers/depth.ts'
import { fc } from '#tests/helpers/property.ts'

const example = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../fixtures/azuracast/${name}.json`, import.meta.url), 'utf8'))
const asIs = (value: unknown) => (typeof value === 'string' ? value : null)
const onAir = (answer: unknown) => parseNowPlaying(answer, asIs)
const song = (fields: object) => onAir({ now_playing: { song: fields } }).song

describe('example responses', () => {
  test('parses what is on air', () => {
    expect(onAir(example('nowplaying'))).toEqual({
      song: {
        title: 'Tëst “Title”',
        artist: 'Artist',
        album: 'Album',
        art: 'http://127.0.0.1:18099/api/station/1/art/0a1b2c-1609480800.jpg',
      },
      elapsed: 25,
      duration: 180,
      listeners: { current: 20, peak: null },
      live: { isLive: false, streamer: '' },
      history: [
        {
          song: expect.objectContaining({ title: 'Prev', artist: 'Artist 0' }),
          playedAt: '2021-01-01T05:56:40.000Z',
        },
      ],
    })
  })

  test('parses a live show without a duration', () => {
    expect(onAir(example('nowplaying-live'))).toMatchObject({
      elapsed: 4000,
      duration: 0,
      live: { isLive: true, streamer: 'Test DJ' },
    })
  })

  test('parses a station with nothing on air', () => {
    expect(onAir(example('nowplaying-offline'))).toMatchObject({ song: null, listeners: { current: 0 }, history: [] })
  })

  test('parses the flat shape', () => {
    expect(onAir(example('nowplaying-spec-shape'))).toEqual({
      song: { title: 'T', artist: 'A', album: 'Al', art: '/art.jpg' },
      elapsed: 25,
      duration: 180,
      listeners: { current: 20, peak: 33 },
      live: { isLive: false, streamer: '' },
      history: [],
    })
  })

  test('parses stations', () => {
    expect(parseStations(example('stations'), asIs)).toEqual([
      {
        id: 1,
        name: 'AzuraTest Radio',
        description: '',
        listenUrl: 'https://radio.example/listen/azuratest_radio/radio.mp3',
      },
    ])
  })

  test('parses streamers without their passwords', () => {
    expect(parseStreamers(example('streamers'))).toEqual([
      { id: 3, streamer_username: 'dj_test', display_name: 'Test DJ', comments: null },
    ])
  })

  test.each([
    ['broadcasts-0.21+', '2026-03-01T20:00:00.123Z', '2026-02-22T22:00:00.000Z'],
    ['broadcasts-pre-0.21', '2024-03-01T20:00:00.000Z', '2024-02-22T22:00:00.000Z'],
  ])('parses broadcasts of %s', (name, running, end) => {
    expect(parseBroadcasts(example(name))).toEqual([
      { id: 8, title: null, timestampStart: running, timestampEnd: null, recording: null },
      expect.objectContaining({ id: 7, timestampEnd: end, recording: { size: 115343360 } }),
    ])
  })

  test('parses a page of broadcasts', () => {
    expect(parseBroadcasts(example('broadcasts-paginated'))).toEqual([
      expect.objectContaining({ id: 7, recording: null }),
    ])
    expect(getNextPage(example('broadcasts-paginated'))).toBeNull()
    expect(getNextPage({ page: 2, total_pages: 3, rows: [] })).toBe(3)
  })
})

describe('unusual values', () => {
  test.each([
    ['-5', 0],
    [Number.NaN, 0],
    ['NaN', 0],
    [1e300, 0],
    [200.5, 200.5],
    ['200.5', 200.5],
    [{}, 0],
    [null, 0],
  ])('parses a duration of %j', (duration, read) => {
    expect(onAir({ now_playing: { duration, song: {} } }).duration).toBe(read)
  })

  test.each([
    [
      { current: 3, total: 4, unique: 5 },
      { current: 3, peak: null },
    ],
    [
      { total: 4, unique: 5 },
      { current: 4, peak: null },
    ],
    [{ unique: 5 }, { current: 5, peak: null }],
    [
      { current: -1, total: '7' },
      { current: 7, peak: null },
    ],
    [
      { current: 2.9, peak: 1e20 },
      { current: 2, peak: 1_000_000_000 },
    ],
    [12, { current: 12, peak: null }],
    [[], null],
    ['many', null],
  ])('parses listeners %j', (listeners, read) => {
    expect(onAir({ now_playing: null, listeners }).listeners).toEqual(read)
  })

  test('uses the text of a song without a title, or "Unknown"', () => {
    expect(song({ text: 'A - B' })?.title).toBe('A - B')
    expect(song({})).toEqual({ title: 'Unknown', artist: '', album: '', art: null })
  })

  test('has no song while a station is offline', () => {
    expect(onAir({ is_online: false, now_playing: { song: { title: 'Station Offline' } } }).song).toBeNull()
  })

  test('limits titles to one line of visible text', () => {
    expect(song({ title: 'a\u0000b\r\nc\u202edcb\ud800', artist: 'x'.repeat(10_000) })).toMatchObject({
      title: 'a b c dcb\ufffd',
      artist: 'x'.repeat(300),
    })
    expect(song({ title: '𝄞'.repeat(500) })?.title).toBe('𝄞'.repeat(300))
  })

  test.each([
    [0, null],
    [null, null],
    ['', null],
    [false, null],
    ['0', null],
    [1709323200, '2024-03-01T20:00:00.000Z'],
    ['1709323200', '2024-03-01T20:00:00.000Z'],
    ['2026-03-01T21:00:00+01:00', '2026-03-01T20:00:00.000Z'],
    ['2026-03-01 20:00:00', '2026-03-01T20:00:00.000Z'],
    ['0000-00-00T00:00:00Z', null],
    ['yesterday', null],
    [1e300, null],
    [-5, null],
  ])('parses an end of %j', (timestampEnd, read) => {
    const [broadcast] = parseBroadcasts([{ id: 1, timestampStart: 1, timestampEnd }])
    expect(broadcast?.timestampEnd).toBe(read)
  })

  test.each([
    [[], null],
    [null, null],
    ['x.mp3', null],
    [{ size: '42' }, { size: 42 }],
    [{ size: -1 }, null],
    [{}, null],
  ])('parses a recording of %j', (recording, read) => {
    expect(parseBroadcasts([{ id: 1, timestampStart: 1, recording }])[0]?.recording).toEqual(read)
  })

  test('accepts ids as text, and skips duplicates and entries without an id', () => {
    const list = [null, 5, 'x', [], {}, { id: '7' }, { id: 7 }, { id: -1 }, { id: 1.5 }, { id: '1e3' }]
    expect(parseStations(list, asIs).map(({ id }) => id)).toEqual([7])
  })

  test('accepts bare lists, rows, and lists with gaps', () => {
    const one = { id: 3, streamer_username: 'dj' }
    const read = [{ id: 3, streamer_username: 'dj', display_name: 'dj', comments: null }]
    expect(parseStreamers([one])).toEqual(read)
    expect(parseStreamers({ rows: [one] })).toEqual(read)
    expect(parseStreamers({ 0: one, 2: null })).toEqual(read)
    expect(parseStreamers([])).toEqual([])
    expect(parseStreamers({ rows: [] })).toEqual([])
  })

  test('keeps inactive streamers, whose recordings still exist', () => {
    expect(parseStreamers([{ id: 3, streamer_username: 'dj', is_active: false }])).toHaveLength(1)
  })

  test('finds the stream at the listen URL, the default mount, any mount, or a remote', () => {
    const where = (station: object) => parseStations([{ id: 1, ...station }], asIs)[0]?.listenUrl
    const mounts = [{ url: 'http://a/' }, { url: 'http://b/', is_default: true }]
    expect(where({ listen_url: 'http://c/', mounts })).toBe('http://c/')
    expect(where({ listen_url: null, mounts })).toBe('http://b/')
    expect(where({ mounts: [null, { url: 5 }, { url: 'http://a/' }] })).toBe('http://a/')
    expect(where({ remotes: [{ url: 'http://d/' }] })).toBe('http://d/')
    expect(where({})).toBe('')
  })

  test.each([['x'], [5], [null], [{}], [{ rows: 'x' }], [[1, 2]], [[{ id: null }]], [{ error: 'no' }]])(
    'rejects the list %j',
    (answer) => {
      for (const read of [parseStreamers, parseBroadcasts]) expect(() => read(answer)).toThrow(RadioUnavailable)
    },
  )

  test.each([['x'], [5], [null], [[]], [{}], [{ now_playing: 5 }], [{ now_playing: { song: 5 } }], [{ song: [] }]])(
    'rejects the now-playing answer %j',
    (answer) => {
      expect(() => onAir(answer)).toThrow(RadioUnavailable)
    },
  )
})

// field names of AzuraCast, used as keys of the generated JSON
const names = ['id', 'rows', 'song', 'title', 'now_playing', 'listeners', 'current', 'recording', 'size', 'live']
const more = ['timestampStart', 'timestampEnd', 'song_history', 'played_at', 'mounts', 'url', 'streamer_username']
const anything = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    fc.jsonValue(),
    fc.double(),
    fc.string({ unit: 'binary' }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...names, ...more), tie('value'), { maxKeys: 8 }),
  ),
})).value

test('never returns invalid data for any input', () => {
  const isText = (value: unknown) => typeof value === 'string'
  const isCount = (value: unknown) => typeof value === 'number' && Number.isFinite(value) && value >= 0
  fc.assert(
    fc.property(anything, (answer) => {
      const tried = [
        () => {
          const { song, elapsed, duration, listeners } = onAir(answer)
          return isCount(elapsed) && isCount(duration) && isCount(listeners?.current ?? 0) && isText(song?.title ?? '')
        },
        () => parseStations(answer, asIs).every(({ id, name }) => isCount(id) && isText(name)),
        () => parseStreamers(answer).every((one) => isCount(one.id) && isText(one.streamer_username)),
        () => parseBroadcasts(answer).every((one) => isCount(one.id) && !Number.isNaN(Date.parse(one.timestampStart))),
        () => getNextPage(answer) === null || isCount(getNextPage(answer)),
      ]
      for (const attempt of tried) {
        try {
          expect(attempt()).toBe(true)
        } catch (error) {
          if (!(error instanceof RadioUnavailable)) throw error
        }
      }
    }),
    { numRuns: runs(2000) },
  )
})
