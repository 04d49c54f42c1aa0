import type { Services } from '#server/core/context.ts'
import { downloadPath, hasEnded } from '#src/contract/archive.ts'
import type { AnnouncedBroadcast } from './readBroadcast.ts'

/** The radio service notices a source a little earlier or later than this site. */
const MAX_START_DIFFERENCE_MS = 2 * 60_000

/** Paths of a recording: the archive's page with its streamer, and its file. */
export type RecordingPaths = { page: string; file: string }

/** Looks a broadcast up in the archive. Returns null if its recording is not there, or not yet. */
export async function findRecording(
  { radio }: Pick<Services, 'radio'>,
  { stationId, streamer, startedAt }: AnnouncedBroadcast,
): Promise<RecordingPaths | null> {
  const { streamers } = await radio.streamers(stationId)
  const isSame = (name: string) => name.toLowerCase() === streamer.toLowerCase()
  const found = streamers.find(
    ({ display_name, streamer_username }) => isSame(display_name) || isSame(streamer_username),
  )
  if (!found) return null
  const { broadcasts } = await radio.broadcasts(stationId, found.id)
  const distance = (start: string) => Math.abs(Date.parse(start) - startedAt.getTime())
  const [nearest] = broadcasts
    .filter((one) => one.recording !== null && hasEnded(one))
    .sort((a, b) => distance(a.timestampStart) - distance(b.timestampStart))
  if (!nearest || distance(nearest.timestampStart) > MAX_START_DIFFERENCE_MS) return null
  return { page: `/archive?streamer=${found.id}`, file: downloadPath(stationId, found.id, nearest.id) }
}
