import { durationSeconds, type EndedBroadcast, type Streamer } from '#src/contract/archive.ts'
import { broadcastTitle } from './format.ts'

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
