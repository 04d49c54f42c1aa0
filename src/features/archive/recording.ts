import type { Streamer } from '#src/contract/archive.ts'
import { broadcastTitle, durationSeconds, type EndedBroadcast } from './format.ts'

/** Converts a broadcast for the player; null if it was not recorded. */
export function toRecording(stationId: number, streamer: Streamer, broadcast: EndedBroadcast) {
  if (!broadcast.recording) return null
  return {
    stationId,
    streamerId: streamer.id,
    broadcastId: broadcast.id,
    title: broadcastTitle(broadcast),
    streamer: streamer.display_name || streamer.streamer_username,
    startedAt: broadcast.timestampStart,
    duration: durationSeconds(broadcast),
    size: broadcast.recording.size,
  }
}

export type ArchiveRecording = NonNullable<ReturnType<typeof toRecording>>
