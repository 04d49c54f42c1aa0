import { withTimeout } from '#db/withTimeout.server.ts'
import type { Services } from '#server/core/context.ts'
import type { LinkCard } from '#src/contract/linkCard.ts'
import type { BroadcastIds } from './service.ts'

/** A page does not wait longer for the radio service, which answers from memory most of the time. */
const MAX_WAIT_MS = 200

/** Reads the card of a recorded broadcast. Returns null if there is none, or if the radio service is slow. */
export async function readBroadcastCard(
  { radio }: Pick<Services, 'radio'>,
  { stationId, streamerId, broadcastId }: BroadcastIds,
): Promise<LinkCard | null> {
  const read = async (): Promise<LinkCard | null> => {
    const { streamers } = await radio.streamers(stationId)
    const { broadcasts } = await radio.broadcasts(stationId, streamerId)
    const streamer = streamers.find(({ id }) => id === streamerId)
    const broadcast = broadcasts.find(({ id }) => id === broadcastId)
    if (!streamer || !broadcast?.recording) return null
    return {
      kind: 'broadcast',
      path: `/archive?streamer=${streamerId}`,
      title: broadcast.title,
      streamer: streamer.display_name,
      startedAt: new Date(broadcast.timestampStart),
    }
  }
  // The radio also rejects unknown stations and streamers.
  return withTimeout(read(), MAX_WAIT_MS).catch(() => null)
}
