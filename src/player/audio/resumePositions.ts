import type { Recording } from '#src/player/types.ts'

const KEY = 'player-places'
/** Each listened show leaves one; the storage is shared with everything else on this origin. */
const MOST = 50
/** Nearer to either end there is nothing to go back to. */
const EDGE_SECONDS = 10

/** Newest last: [name of the broadcast, seconds]. */
export type ResumePositions = [name: string, seconds: number][]

const nameOf = ({ stationId, streamerId, broadcastId }: Recording) => `${stationId}/${streamerId}/${broadcastId}`

/** The places with one more, moved or forgotten: near its ends a show has none. */
export function updateResumePositions(
  places: ResumePositions,
  name: string,
  seconds: number,
  duration: number,
): ResumePositions {
  const others = places.filter(([other]) => other !== name)
  if (seconds < EDGE_SECONDS || seconds > duration - EDGE_SECONDS) return others
  return [...others, [name, Math.round(seconds)] as ResumePositions[number]].slice(-MOST)
}

/** What was kept, without anything that is no place. */
export function parseResumePositions(kept: string | null): ResumePositions {
  try {
    const places: unknown = JSON.parse(kept ?? '[]')
    if (!Array.isArray(places)) return []
    return places.filter(
      (place): place is ResumePositions[number] =>
        Array.isArray(place) && typeof place[0] === 'string' && Number.isFinite(place[1]) && place[1] > 0,
    )
  } catch {
    return []
  }
}

/** Where a recording was left, in seconds; 0 for one never begun or heard to its end. */
export function getResumePosition(recording: Recording): number {
  try {
    const name = nameOf(recording)
    return parseResumePositions(localStorage.getItem(KEY)).find(([other]) => other === name)?.[1] ?? 0
  } catch {
    return 0
  }
}

/** Remembers where a recording is; `seconds` 0 forgets it. */
export function storeResumePosition(recording: Recording, seconds: number, duration: number) {
  try {
    const places = updateResumePositions(
      parseResumePositions(localStorage.getItem(KEY)),
      nameOf(recording),
      seconds,
      duration,
    )
    localStorage.setItem(KEY, JSON.stringify(places))
  } catch {
    // storage is full or forbidden: the show begins at its beginning
  }
}
