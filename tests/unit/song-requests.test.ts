import { describe, expect, test } from 'vitest'
import {
  createTimeline,
  findGap,
  getPosition,
  type PlannedTrack,
  type Timeline,
  type Track,
  toFrames,
  withRequests,
} from '#server/features/radio/library/timeline.ts'
import { fc } from '#tests/helpers/property.ts'

const SECONDS_PER_FRAME = 1152 / 44100
const LEAD_MS = 5000
const NOON = Date.parse('2026-11-25T12:00:00Z')

const createTrack = (frames: number, index: number) =>
  ({
    id: 100 + index,
    file: { relative: `${String(index).padStart(3, '0')}.mp3` },
    info: { format: 'mp3', frames, secondsPerFrame: SECONDS_PER_FRAME },
  }) as Track

const createRing = (lengths: number[]): Timeline => {
  const timeline = createTimeline(lengths.map(createTrack))
  if (!timeline) throw new Error('no tracks')
  return timeline
}

/** Plans a request as the server does: between two tracks, and not while another one is planned. */
function plan(timeline: Timeline, planned: PlannedTrack[], index: number, nowMs: number): PlannedTrack[] {
  if (planned.some(({ startsAt }) => startsAt > nowMs)) return planned
  const track = timeline.tracks[index % timeline.tracks.length] as Track
  const after = nowMs + LEAD_MS
  const gap = findGap(withRequests(timeline, planned), after)
  const seconds = track.info.frames * SECONDS_PER_FRAME
  return [...planned, { ...gap, requestId: planned.length + 1, trackId: track.id, seconds }]
}

const lengths = fc.array(fc.integer({ min: 40, max: 4000 }), { minLength: 1, maxLength: 6 })
/** requests: the pause before each one in ms, and the track's index */
const requests = fc.array(fc.tuple(fc.integer({ min: 0, max: 90_000 }), fc.nat(5)), { maxLength: 12 })

/** Plays the timeline as listeners hear it. @returns the items in order */
function listTracks(timeline: Timeline, from: number, until: number) {
  const items = []
  for (let time = from; time < until; ) {
    const position = getPosition(timeline, time)
    items.push(position)
    time = position.end
  }
  return items
}

describe('the timeline with requested tracks', () => {
  test('is the same in a running process and after a restart at any time', () => {
    fc.assert(
      fc.property(
        lengths,
        requests,
        fc.array(fc.nat(900_000), { minLength: 1, maxLength: 8 }),
        (ring, asked, times) => {
          const base = createRing(ring)
          let [running, planned, now] = [base, [] as PlannedTrack[], NOON]
          for (const [pause, index] of asked) {
            now += pause
            planned = plan(running, planned, index, now)
            running = withRequests(running, planned.slice(-10))
          }
          for (const offset of times) {
            const at = now + offset
            const restarted = withRequests(createRing(ring), planned.slice(-10))
            expect(getPosition(restarted, toFrames(base, at))).toEqual(getPosition(running, toFrames(base, at)))
          }
        },
      ),
    )
  })

  test('plays each requested track once and whole, and continues the ring where it was', () => {
    fc.assert(
      fc.property(lengths, requests, (ring, asked) => {
        let [timeline, planned, now] = [createRing(ring), [] as PlannedTrack[], NOON]
        const begin = getPosition(timeline, toFrames(timeline, NOON)).start
        const heard: ReturnType<typeof listTracks> = []
        const listen = (until: number) => heard.push(...listTracks(timeline, heard.at(-1)?.end ?? begin, until))
        for (const [pause, index] of asked) {
          now += pause
          listen(toFrames(timeline, now))
          planned = plan(timeline, planned, index, now)
          timeline = withRequests(timeline, planned)
        }
        listen(toFrames(timeline, now + 400_000))
        for (const [at, { track, start, end, frame }] of heard.entries()) {
          expect(frame).toBe(0)
          expect(end - start).toBe(track.info.frames)
          expect(start).toBe(heard[at - 1]?.end ?? begin)
        }
        expect(heard.flatMap(({ requestId }) => requestId ?? [])).toEqual(planned.map(({ requestId }) => requestId))
        const ringIds = heard.filter(({ requestId }) => requestId === null).map(({ track }) => track.id - 100)
        const first = ringIds[0] ?? 0
        expect(ringIds).toEqual(ringIds.map((_, index) => (first + index) % ring.length))
      }),
    )
  })

  test('forgets a cancelled track, and keeps the time of one whose file was deleted', () => {
    const ring = createRing([1000, 1000, 1000])
    const [planned] = plan(ring, [], 1, NOON)
    if (!planned) throw new Error('nothing planned')
    const inserted = withRequests(ring, [planned])
    const during = toFrames(ring, planned.startsAt) + 10
    expect(getPosition(inserted, during)).toMatchObject({ requestId: 1, frame: 10 })
    const cancelled = withRequests(inserted, [])
    expect(getPosition(cancelled, during)).toEqual(getPosition(ring, during))
    const after = planned.startsAt + 60_000
    const deleted = { ...planned, trackId: 999 }
    const expected = getPosition(inserted, toFrames(ring, after))
    expect(getPosition(withRequests(ring, [deleted]), toFrames(ring, after))).toEqual(expected)
    expect(getPosition(withRequests(ring, [deleted]), during)).toEqual(getPosition(ring, during))
  })
})
