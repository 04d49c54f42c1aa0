import type { FileEntry } from './files.ts'
import type { Mp3Info } from './mp3File.ts'

export type Track = {
  id: number
  file: FileEntry
  info: Mp3Info
}

/** A requested track with its place in the timeline. All processes read the same ones from the database. */
export type PlannedTrack = {
  requestId: number
  /** in ms since 1970 */
  startsAt: number
  trackId: number
  seconds: number
  /** track of the ring that follows */
  nextTrackId: number
}

/** A requested track plays once. At `until`, `next` follows in the ring. `track` is null if the file was deleted. */
type Request = { requestId: number; from: number; until: number; track: Track | null; next: Track }

/** A track that this process plays at another time than the others. */
type OwnTrack = Pick<TimelinePosition, 'track' | 'requestId' | 'start' | 'end'>

/**
 * The tracks and the frames at which they start. Times are numbers of frames since the Unix epoch. Without requests, it is
 * a loop of all tracks since the epoch, so all processes play the same position.
 */
export type Timeline = {
  tracks: Track[]
  /** number of the first frame of each track */
  starts: number[]
  total: number
  format: string
  secondsPerFrame: number
  /** ordered by `from`; the last one determines where the ring continues */
  requests: Request[]
  own: OwnTrack | null
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
  return { tracks, starts, total, format, secondsPerFrame, requests: [], own: null }
}

/** @param planned ordered by `startsAt` */
export function withRequests(timeline: Timeline, planned: PlannedTrack[]): Timeline {
  const find = (id: number) => timeline.tracks.find((track) => track.id === id)
  const requests: Request[] = []
  for (const { requestId, startsAt, trackId, seconds, nextTrackId } of planned) {
    const from = toFrames(timeline, startsAt)
    const until = from + Math.round(seconds / timeline.secondsPerFrame)
    const next = find(nextTrackId) ?? getSharedPosition({ ...timeline, requests }, from).track
    requests.push({ requestId, from, until, track: find(trackId) ?? null, next })
  }
  return { ...timeline, requests }
}

export const getPositionAt = (timeline: Timeline, timeMs: number): TimelinePosition =>
  getPosition(timeline, toFrames(timeline, timeMs))

export function getPosition(timeline: Timeline, time: number): TimelinePosition {
  const { own } = timeline
  const isOwn = own && own.start <= time && time < own.end
  return isOwn ? { ...own, frame: time - own.start } : getSharedPosition(timeline, time)
}

/** Returns the position in processes without a track of their own. */
export function getSharedPosition(timeline: Timeline, time: number): TimelinePosition {
  const { requests, tracks, starts, total } = timeline
  // A track that was deleted after it was played keeps its time, so that all processes agree.
  const last = requests.findLast(({ from, until, track }) => from <= time && (track || until <= time))
  const limit = requests.find(({ from, track }) => from > time && track)?.from ?? Number.POSITIVE_INFINITY
  if (last?.track && time < last.until) {
    const { track, requestId, from, until } = last
    return { track, requestId, frame: time - from, start: from, end: Math.min(until, limit) }
  }
  const anchor = last ? (starts[tracks.indexOf(last.next)] ?? 0) - last.until : 0
  const position = modulo(anchor + time, total)
  const index = starts.findLastIndex((start) => start <= position)
  const track = tracks[index]
  if (!track) throw new Error('empty timeline')
  const frame = position - (starts[index] ?? 0)
  return { track, frame, start: time - frame, end: Math.min(time - frame + track.info.frames, limit), requestId: null }
}

/** Returns the position at the end of the track that played before. */
export const getPreviousPosition = (timeline: Timeline, { start }: TimelinePosition): TimelinePosition =>
  getPosition(timeline, start - 1)

/**
 * Returns what to send after a track was sent to its end. A process with a track of its own plays the requests that began
 * meanwhile, whole, and then goes on where the others are, possibly within a track.
 * @param since when the last requested track began in the other processes
 */
export function getNextPosition(
  timeline: Timeline,
  { since, time }: { since: number; time: number },
): TimelinePosition {
  const drift = maxDrift(timeline)
  const due = timeline.requests.find(({ track, from }) => track && from > since && from <= time + drift)
  if (due) return getSharedPosition(timeline, due.from)
  const found = getPosition(timeline, time + drift)
  if (found.frame <= 2 * drift) return { ...found, frame: 0 }
  // The track before ended a little early.
  return found.end - time <= 2 * drift ? getPosition(timeline, found.end) : { ...found, frame: found.frame - drift }
}

/** Lets this process play the current track to its end after a change of the music. Then it goes on where the others are. */
export function continueTimeline(old: Timeline, next: Timeline, timeMs: number): Timeline {
  const { track, requestId, start, end } = getPositionAt(old, timeMs)
  const same = old.format === next.format && next.tracks.find(({ id }) => id === track.id)
  return same ? { ...next, own: { track: same, requestId, start, end } } : next
}

/** Notes that a track starts in this process: a process can be late. */
export function startTrack(
  timeline: Timeline,
  { track, requestId }: Pick<TimelinePosition, 'track' | 'requestId'>,
  timeMs: number,
): Timeline {
  const start = toFrames(timeline, timeMs)
  const drift = maxDrift(timeline)
  const shared = getSharedPosition(timeline, start + drift)
  const isShared = shared.track.id === track.id && shared.requestId === requestId && shared.frame <= 2 * drift
  // The list of past songs has the last track of this process, unless the clock was set back.
  const past = timeline.own && timeline.own.start < start ? timeline.own : null
  return { ...timeline, own: isShared ? past : { track, requestId, start, end: start + track.info.frames } }
}

/** Returns the first time after `afterMs` at which a requested track can start, and the track of the ring that follows. */
export function findGap(timeline: Timeline, afterMs: number): { startsAt: number; nextTrackId: number } {
  const { end } = getSharedPosition(timeline, toFrames(timeline, afterMs))
  // Within a frame, less than a millisecond after its start.
  const startsAt = Math.floor(end * timeline.secondsPerFrame * 1000) + 1
  return { startsAt, nextTrackId: getSharedPosition(timeline, end).track.id }
}

/** Returns the frames that a track may start early or late. */
export const maxDrift = ({ secondsPerFrame }: Timeline): number => Math.ceil(MAX_DRIFT_SECONDS / secondsPerFrame) - 1

export const toFrames = ({ secondsPerFrame }: Timeline, timeMs: number): number =>
  Math.floor(timeMs / 1000 / secondsPerFrame)

const modulo = (value: number, divisor: number) => ((value % divisor) + divisor) % divisor
