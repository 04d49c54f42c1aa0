import type { FileEntry } from './files.ts'
import type { Mp3Info } from './mp3File.ts'

export type Track = {
  id: number
  file: FileEntry
  info: Mp3Info
}

/**
 * The ring of all tracks. From `from` on, `track` is at `trackFrame` at the time `frame`. `isJoin`: at `from`, this process
 * joins the position of the others, possibly within a track.
 */
type RingSegment = { from: number; frame: number; track: Track; trackFrame: number; isJoin?: boolean }

/** A requested track, which plays once. At `until`, `next` follows in the ring. */
export type RequestSegment = { from: number; until: number; requestId: number; track: Track; next: Track }

export type Segment = RingSegment | RequestSegment

/**
 * The tracks and the frames at which they start. Times are numbers of frames since the Unix epoch. Without requests, it is a loop of all tracks
 * since the epoch, so all processes play the same position.
 */
export type Timeline = {
  tracks: Track[]
  /** number of the first frame of each track */
  starts: number[]
  total: number
  format: string
  secondsPerFrame: number
  /** ordered by `from`; the first one has no beginning */
  segments: Segment[]
}

export type TimelinePosition = {
  track: Track
  /** frame of the track */
  frame: number
  /** when the track started */
  start: number
  /** when the next track starts */
  end: number
  /** null for a track of the ring */
  requestId: number | null
}

/** Limits memory and the time of a lookup. Earlier segments matter only for the list of past songs. */
const MAX_SEGMENTS = 32
/** Smaller drifts are ignored: frame counts are estimated from the file size and may be off by one. */
const MAX_DRIFT_SECONDS = 0.5

export function createTimeline(tracks: Track[]): Timeline | null {
  const [first] = tracks
  if (!first) return null
  const starts: number[] = []
  let total = 0
  for (const { info } of tracks) {
    starts.push(total)
    total += info.frames
  }
  const { format, secondsPerFrame } = first.info
  const segments = [{ from: 0, frame: 0, track: first, trackFrame: 0 }]
  return { tracks, starts, total, format, secondsPerFrame, segments }
}

export const isRequest = (segment: Segment): segment is RequestSegment => 'requestId' in segment

const isJoin = (segment: Segment): segment is RingSegment => !isRequest(segment) && segment.isJoin === true

/** Returns the position that this process joins at about the time when its current track ends, or null. */
export function findJoin(timeline: Timeline, currentStart: number, time: number): TimelinePosition | null {
  const drift = maxDrift(timeline)
  const join = timeline.segments.find(
    (segment) => isJoin(segment) && segment.from > currentStart && segment.from <= time + drift,
  )
  if (!join) return null
  const position = getPosition(timeline, Math.max(time, join.from))
  return position.frame <= 2 * drift ? { ...position, frame: 0 } : position
}

export const getPositionAt = (timeline: Timeline, timeMs: number): TimelinePosition =>
  getPosition(timeline, toFrames(timeline, timeMs))

export function getPosition(timeline: Timeline, time: number): TimelinePosition {
  const { segments } = timeline
  const index = Math.max(
    0,
    segments.findLastIndex(({ from }) => from <= time),
  )
  const segment = segments[index]
  if (!segment) throw new Error('empty timeline')
  const limit = segments[index + 1]?.from ?? Number.POSITIVE_INFINITY
  if (isRequest(segment)) {
    const { track, requestId, from } = segment
    return { track, requestId, frame: time - from, start: from, end: Math.min(segment.until, limit) }
  }
  const { track, frame } = getRingPosition(timeline, segment, time)
  const start = time - frame
  return { track, frame, start, end: Math.min(start + track.info.frames, limit), requestId: null }
}

function getRingPosition(timeline: Timeline, anchor: RingSegment, time: number) {
  const index = timeline.tracks.findIndex(({ id }) => id === anchor.track.id)
  const start =
    index < 0
      ? timeline.starts[getNextIndex(timeline, anchor.track)]
      : (timeline.starts[index] ?? 0) + anchor.trackFrame
  const position = modulo((start ?? 0) + time - anchor.frame, timeline.total)
  let [low, high] = [0, timeline.starts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((timeline.starts[middle] ?? 0) <= position) low = middle
    else high = middle - 1
  }
  return { track: getTrackAt(timeline, low), frame: position - (timeline.starts[low] ?? 0) }
}

/** Returns the position at the end of the track that played before. */
export const getPreviousPosition = (timeline: Timeline, { start }: TimelinePosition): TimelinePosition =>
  getPosition(timeline, start - 1)

export function getTrackAt({ tracks }: Timeline, index: number): Track {
  const track = tracks[modulo(index, tracks.length)]
  if (!track) throw new Error('empty timeline')
  return track
}

/**
 * Lets `next` begin with the rest of the current track of `old`. If that track was removed, the following track starts.
 * Afterwards, the position is that of `next`, as in processes that noticed the change at another time or have restarted.
 * Requested tracks that have not started must be inserted again.
 */
export function continueTimeline(old: Timeline, next: Timeline, timeMs: number): Timeline {
  const { track, frame, requestId } = getPositionAt(old, timeMs)
  const isSameFormat = old.format === next.format
  if (requestId !== null && isSameFormat) return { ...next, segments: old.segments }
  const time = toFrames(next, timeMs)
  const same = next.tracks.find(({ id }) => id === track.id)
  const anchor =
    same && frame < same.info.frames
      ? { track: same, trackFrame: frame }
      : { track: getTrackAt(next, getNextIndex(next, track)), trackFrame: 0 }
  const earlier = isSameFormat ? old.segments.filter(({ from }) => from <= time) : []
  const from = earlier.pop()?.from ?? time
  const joinAt = time + anchor.track.info.frames - anchor.trackFrame
  const following = next.segments.findLast((segment) => segment.from <= joinAt)
  // A requested track that plays then is inserted again, whole.
  const join = following && !isRequest(following) ? [{ ...following, from: joinAt, isJoin: true }] : []
  const unstarted = isSameFormat ? old.segments.filter((segment) => isRequest(segment) && segment.from >= joinAt) : []
  return { ...next, segments: [...earlier, { from, frame: time, ...anchor }, ...join, ...unstarted] }
}

/**
 * Shifts the timeline so that a track starts at `timeMs`: earlier tracks may have been unreadable or too short. Requested
 * tracks that have not started must be inserted again.
 * @param requestId null for a track of the ring
 */
export function syncToTrackStart(timeline: Timeline, track: Track, requestId: number | null, timeMs: number): Timeline {
  const time = toFrames(timeline, timeMs)
  const drift = maxDrift(timeline)
  const expected = getPosition(timeline, time + drift)
  const isExpected = expected.track.id === track.id && expected.requestId === requestId && expected.frame <= 2 * drift
  if (isExpected) return timeline
  const earlier = timeline.segments.filter(({ from }) => from < time)
  const unstarted = timeline.segments.filter(
    (segment) => isRequest(segment) && segment.from >= time && segment.requestId !== requestId,
  )
  if (requestId === null) {
    if (!timeline.tracks.some(({ id }) => id === track.id)) return timeline
    const ring = { from: time, frame: time, track, trackFrame: 0 }
    const join = timeline.segments.filter((segment) => isJoin(segment) && segment.from >= time)
    const moved = join.map((segment) => ({ ...segment, from: time + track.info.frames }))
    return { ...timeline, segments: prune([...earlier, ring, ...moved, ...unstarted]) }
  }
  const request = timeline.segments.find(
    (segment): segment is RequestSegment => isRequest(segment) && segment.requestId === requestId,
  )
  if (!request) return timeline
  const moved = { ...request, from: time, until: time + request.until - request.from }
  const others = earlier.filter((segment) => segment !== request)
  return { ...timeline, segments: prune([...others, ...withRing(moved), ...unstarted]) }
}

/** Returns the segments of a requested track and of the ring after it. */
export const withRing = (request: RequestSegment): Segment[] => [
  request,
  { from: request.until, frame: request.until, track: request.next, trackFrame: 0 },
]

/** Limits the number of segments. */
export const prune = (segments: Segment[]): Segment[] => segments.slice(-MAX_SEGMENTS)

/** Returns the index of the track after the given track, even if the given track was removed. */
export function getNextIndex({ tracks }: Timeline, { file }: Track): number {
  return Math.max(
    0,
    tracks.findIndex((other) => other.file.relative > file.relative),
  )
}

/** Returns the frames that a track may start early or late. */
export const maxDrift = ({ secondsPerFrame }: Timeline): number => Math.ceil(MAX_DRIFT_SECONDS / secondsPerFrame) - 1

export const toFrames = ({ secondsPerFrame }: Timeline, timeMs: number): number =>
  Math.floor(timeMs / 1000 / secondsPerFrame)

/** Returns a time within a frame, less than a millisecond after its start. */
export const toMs = ({ secondsPerFrame }: Timeline, time: number): number =>
  Math.floor(time * secondsPerFrame * 1000) + 1

const modulo = (value: number, divisor: number) => ((value % divisor) + divisor) % divisor
