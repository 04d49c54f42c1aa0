import type { Streamer } from '#src/contract/archive.ts'
import { type EndedBroadcast, secondsOf, titleOf } from './format.ts'

/** A broadcast as the player takes it; null where nothing was recorded. */
export function recordingOf(stationId: number, streamer: Streamer, broadcast: EndedBroadcast) {
  if (!broadcast.recording) return null
  return {
    stationId,
    streamerId: streamer.id,
    broadcastId: broadcast.id,
    title: titleOf(broadcast),
    streamer: streamer.display_name || streamer.streamer_username,
    startedAt: broadcast.timestampStart,
    duration: secondsOf(broadcast),
    size: broadcast.recording.size,
  }
}

export type ArchiveRecording = NonNullable<ReturnType<typeof recordingOf>>
