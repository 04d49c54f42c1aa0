import type { Services } from '#server/core/context.ts'
import { threadPath } from '#src/contract/thread.ts'
import type { AnnouncedBroadcast, RecordingPaths } from './readBroadcast.ts'

type Place = { boardId: string; threadId: number }
type Links = { place: Place | null; recording: RecordingPaths | null }

/** Returns what the radio's webhook receives about a broadcast. */
export function toWebhookBody(
  { config, now }: Pick<Services, 'config' | 'now'>,
  event: 'broadcast.started' | 'broadcast.ended' | 'track.changed',
  { id, stationId, streamer, title, startedAt, endedAt }: AnnouncedBroadcast,
  { place, recording }: Links,
) {
  const absolute = (path: string | null) => path && `${config.siteUrl}${path}`
  return {
    event,
    at: now().toISOString(),
    site: config.siteUrl,
    station: stationId,
    broadcast: id,
    streamer,
    show: title,
    startedAt: startedAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    thread: absolute(place && threadPath(place.boardId, place.threadId)),
    recording: absolute(recording?.page ?? null),
  }
}
