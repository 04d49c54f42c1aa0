import {
  findJoin,
  getNextIndex,
  getPosition,
  getTrackAt,
  isRequest,
  maxDrift,
  prune,
  type RequestSegment,
  type Segment,
  type Timeline,
  type TimelinePosition,
  type Track,
  toFrames,
  toMs,
  withRing,
} from './timeline.ts'

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

/**
 * Inserts requested tracks between two tracks. Tracks that have started stay; the others are inserted again. In a process
 * that is off the clock, a requested track waits for the end of the current track, so that no track is cut.
 * @param planned ordered by `startsAt`
 */
export function insertPlannedTracks(timeline: Timeline, planned: PlannedTrack[], nowMs: number): Timeline {
  const now = toFrames(timeline, nowMs)
  const started = { ...timeline, segments: keepStarted(timeline.segments, now) }
  const late = new Set(timeline.segments.flatMap((one) => (isRequest(one) && one.from > now ? [one.requestId] : [])))
  return planned.reduce((current, track) => insert(current, track, now, late), started)
}

/** @param late requests that start in this process after `now`, even if they have started in others */
function insert(timeline: Timeline, planned: PlannedTrack, now: number, late: ReadonlySet<number>): Timeline {
  const { segments, tracks, secondsPerFrame } = timeline
  const { requestId } = planned
  if (segments.some((segment) => isRequest(segment) && segment.requestId === requestId)) return timeline
  const find = (id: number) => tracks.find((track) => track.id === id)
  const startsAt = toFrames(timeline, planned.startsAt)
  const earliest = segments.at(-1)?.from ?? 0
  const isExact = startsAt <= now && !late.has(requestId)
  const from = isExact ? startsAt : Math.max(earliest, findBoundary(timeline, startsAt))
  if (from < earliest) return timeline
  const until = from + Math.round(planned.seconds / secondsPerFrame)
  const next = find(planned.nextTrackId) ?? getPosition(timeline, from).track
  const track = find(planned.trackId)
  // Keeps the time of a track that was deleted after it was played, so that all processes agree.
  if (!track && until > now) return timeline
  const ring = { from: until, frame: until, track: next, trackFrame: 0 }
  const inserted = track ? withRing({ from, until, requestId, track, next }) : [ring]
  return { ...timeline, segments: prune([...segments.filter((segment) => segment.from < from), ...inserted]) }
}

/** Removes the requested tracks that have not started. */
function keepStarted(segments: Segment[], now: number): Segment[] {
  const unstarted = segments.findIndex((segment) => isRequest(segment) && segment.from > now)
  if (unstarted < 0) return segments
  const started = segments.slice(0, unstarted)
  const last = started.at(-1)
  return last && isRequest(last) ? [...started.slice(0, -1), ...withRing(last)] : started
}

/** Returns the first time from `time` on at which a track ends. */
function findBoundary(timeline: Timeline, time: number): number {
  const { frame, end } = getPosition(timeline, time)
  const drift = maxDrift(timeline)
  return frame <= drift || end - time <= drift ? time : end
}

/** Returns the first time after `afterMs` at which a requested track can start, and the track of the ring that follows. */
export function findGap(timeline: Timeline, afterMs: number): { startsAt: number; nextTrackId: number } {
  const { end } = getPosition(timeline, toFrames(timeline, afterMs))
  return { startsAt: toMs(timeline, end), nextTrackId: getPosition(timeline, end).track.id }
}

type Item = { track: Track; requestId: number | null }
/** `frame`: where the track begins; 0 except for a process that joins the others */
type NextItem = Item & { frame: number }

/**
 * Returns the track to send after `current` has been sent to its end.
 * @param current with the time when it was started
 * @param time when the next track starts
 */
export function getNextItem(
  timeline: Timeline,
  current: Item & Pick<TimelinePosition, 'start'>,
  time: number,
): NextItem {
  const due = timeline.segments.find(
    (segment) =>
      isRequest(segment) &&
      segment.requestId !== current.requestId &&
      segment.from > current.start &&
      segment.from <= time + maxDrift(timeline),
  )
  if (due && isRequest(due)) return { track: due.track, requestId: due.requestId, frame: 0 }
  const join = findJoin(timeline, current.start, time)
  if (join) return { track: join.track, requestId: join.requestId, frame: join.frame }
  const played = timeline.segments.find(
    (segment): segment is RequestSegment => isRequest(segment) && segment.requestId === current.requestId,
  )
  const next = played ? played.next : current.track
  const nextIndex = timeline.tracks.findIndex(({ id }) => id === played?.next.id)
  return {
    track: getTrackAt(timeline, nextIndex < 0 ? getNextIndex(timeline, next) : nextIndex),
    requestId: null,
    frame: 0,
  }
}
