import type { FileEntry } from './mp3Files.ts'
import type { Mp3Info } from './mp3Info.ts'

export type Track = {
  id: number
  file: FileEntry
  info: Mp3Info
}

/** A loop of all tracks since the Unix epoch. All processes with offset 0 play the same position. */
export type Timeline = {
  tracks: Track[]
  /** number of the first frame of each track */
  starts: number[]
  total: number
  format: string
  secondsPerFrame: number
  offset: number
}

export type TimelinePosition = { index: number; track: Track; frame: number }

/** Smaller drifts are ignored: frame counts are estimated from the file size and may be off by one. */
const MAX_DRIFT_SECONDS = 0.5

export function createTimeline(tracks: Track[], offset = 0): Timeline | null {
  const [first] = tracks
  if (!first) return null
  const starts: number[] = []
  let total = 0
  for (const { info } of tracks) {
    starts.push(total)
    total += info.frames
  }
  const { format, secondsPerFrame } = first.info
  return { tracks, starts, total, format, secondsPerFrame, offset }
}

export function getPositionAt(timeline: Timeline, timeMs: number): TimelinePosition {
  const position = modulo(framesSinceEpoch(timeline, timeMs) + timeline.offset, timeline.total)
  let [low, high] = [0, timeline.starts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((timeline.starts[middle] ?? 0) <= position) low = middle
    else high = middle - 1
  }
  return { index: low, track: getTrackAt(timeline, low), frame: position - (timeline.starts[low] ?? 0) }
}

export function getTrackAt({ tracks }: Timeline, index: number): Track {
  const track = tracks[modulo(index, tracks.length)]
  if (!track) throw new Error('empty timeline')
  return track
}

/** Shifts `next` to continue the current track of `old`. If that track was removed, the following track starts. */
export function continueTimeline(old: Timeline, next: Timeline, timeMs: number): Timeline {
  const { track, frame } = getPositionAt(old, timeMs)
  const index = next.tracks.findIndex(({ id }) => id === track.id)
  const sameTrack = next.tracks[index]
  if (sameTrack && frame < sameTrack.info.frames) return withPositionAt(next, timeMs, index, frame)
  return withPositionAt(next, timeMs, getNextIndex(next, track), 0)
}

/** Shifts the timeline so that `track` starts at `timeMs`: earlier tracks may have been unreadable or too short. */
export function syncToTrackStart(timeline: Timeline, track: Track, timeMs: number): Timeline {
  const index = timeline.tracks.findIndex(({ id }) => id === track.id)
  if (index < 0) return timeline
  const moved = withPositionAt(timeline, timeMs, index, 0)
  const shift = modulo(moved.offset - timeline.offset, timeline.total)
  return Math.min(shift, timeline.total - shift) * timeline.secondsPerFrame < MAX_DRIFT_SECONDS ? timeline : moved
}

/** Returns the index of the track after the given track, even if the given track was removed. */
export function getNextIndex({ tracks }: Timeline, { file }: Track): number {
  return Math.max(
    0,
    tracks.findIndex((other) => other.file.relative > file.relative),
  )
}

function withPositionAt(timeline: Timeline, timeMs: number, index: number, frame: number): Timeline {
  const position = (timeline.starts[index] ?? 0) + frame
  return { ...timeline, offset: modulo(position - framesSinceEpoch(timeline, timeMs), timeline.total) }
}

const framesSinceEpoch = ({ secondsPerFrame }: Timeline, timeMs: number) => Math.floor(timeMs / 1000 / secondsPerFrame)

const modulo = (value: number, divisor: number) => ((value % divisor) + divisor) % divisor
