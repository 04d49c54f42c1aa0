import { readStored, writeStored } from '#src/lib/storage.ts'
import type { Recording } from '#src/player/store.ts'

const KEY = 'player-places'
/** Limits the entries, because the rest of the site uses the same storage. */
const MAX_POSITIONS = 50
/** The player does not store positions this close to the start or end. */
const EDGE_SECONDS = 10

/** [recording key, seconds], newest last */
export type ResumePositions = [name: string, seconds: number][]

export const recordingKey = ({ stationId, streamerId, broadcastId }: Recording) =>
  `${stationId}/${streamerId}/${broadcastId}`

export function updateResumePositions(
  positions: ResumePositions,
  name: string,
  seconds: number,
  duration: number,
): ResumePositions {
  const others = positions.filter(([other]) => other !== name)
  if (seconds < EDGE_SECONDS || seconds > duration - EDGE_SECONDS) return others
  return [...others, [name, Math.round(seconds)] as ResumePositions[number]].slice(-MAX_POSITIONS)
}

/** Skips invalid entries, because any script on this origin can write the storage. */
export function parseResumePositions(stored: unknown): ResumePositions {
  if (!Array.isArray(stored)) return []
  return stored.filter(
    (entry): entry is ResumePositions[number] =>
      Array.isArray(entry) && typeof entry[0] === 'string' && Number.isFinite(entry[1]) && entry[1] > 0,
  )
}

const readPositions = () => parseResumePositions(readStored(KEY))

/** Returns a position in seconds; 0 if the visitor did not start the recording or played it to its end. */
export function getResumePosition(recording: Recording): number {
  const name = recordingKey(recording)
  return readPositions().find(([other]) => other === name)?.[1] ?? 0
}

/** @param seconds 0 removes the entry */
export function storeResumePosition(recording: Recording, seconds: number, duration: number) {
  writeStored(KEY, updateResumePositions(readPositions(), recordingKey(recording), seconds, duration))
}
