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

/** Frame counts are estimated from the size of a file and may be off by one, so tracks begin this early or late. */
export const MAX_DRIFT_SECONDS = 0.5

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
  return { tracks, starts, total, format, secondsPerFrame, requests: [] }
}

/** @param planned ordered by `startsAt` */
export function withRequests(timeline: Timeline, planned: PlannedTrack[]): Timeline {
  const find = (id: number) => timeline.tracks.find((track) => track.id === id)
  const requests: Request[] = []
  for (const { requestId, startsAt, trackId, seconds, nextTrackId } of planned) {
    const from = toFrames(timeline, startsAt)
    const until = from + Math.round(seconds / timeline.secondsPerFrame)
    const next = find(nextTrackId) ?? getPosition({ ...timeline, requests }, from).track
    requests.push({ requestId, from, until, track: find(trackId) ?? null, next })
  }
  return { ...timeline, requests }
}

export const getPositionAt = (timeline: Timeline, timeMs: number): TimelinePosition =>
  getPosition(timeline, toFrames(timeline, timeMs))

export function getPosition(timeline: Timeline, time: number): TimelinePosition {
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

/** Returns the first time after `afterMs` at which a requested track can start, and the track of the ring that follows. */
export function findGap(timeline: Timeline, afterMs: number): { startsAt: number; nextTrackId: number } {
  const { end } = getPosition(timeline, toFrames(timeline, afterMs))
  // Within a frame, less than a millisecond after its start.
  const startsAt = Math.floor(end * timeline.secondsPerFrame * 1000) + 1
  return { startsAt, nextTrackId: getPosition(timeline, end).track.id }
}

export const toFrames = ({ secondsPerFrame }: Timeline, timeMs: number): number =>
  Math.floor(timeMs / 1000 / secondsPerFrame)

const modulo = (value: number, divisor: number) => ((value % divisor) + divisor) % divisor
