import { withTimeout } from '#db/withTimeout.server.ts'
import type { Services } from '#server/core/context.ts'
import { AppError, errors } from '#server/core/errors.ts'
import { createRecordingFilename } from '#server/features/radio/record/files.ts'
import type { Broadcast } from '#src/contract/archive.ts'
import type { LinkCard } from '#src/contract/linkCard.ts'
import { refusal } from '#src/contract/refusal.ts'

type Scope = Pick<Services, 'radio'>
type StreamerIds = { stationId: number; streamerId: number }
export type BroadcastIds = StreamerIds & { broadcastId: number }

export async function listBroadcasts({ radio }: Scope, { stationId, streamerId }: StreamerIds) {
  const { broadcasts, available } = await radio.broadcasts(stationId, streamerId)
  return { broadcasts: broadcasts.toSorted(newestFirst), available }
}

const newestFirst = (a: Broadcast, b: Broadcast) =>
  Date.parse(b.timestampStart) - Date.parse(a.timestampStart) || b.id - a.id

/** @throws AppError 404, or 503 if the radio service does not respond */
export async function findRecording({ radio }: Scope, { stationId, streamerId, broadcastId }: BroadcastIds) {
  if (broadcastId < 0) throw errors.notFound(refusal('archive.notFound'))
  const [streamerList, broadcastList] = await Promise.all([
    radio.streamers(stationId),
    radio.broadcasts(stationId, streamerId),
  ]).catch((error) => {
    // The client requested a broadcast: report it as missing, even if its station or streamer is unknown.
    throw isNotFound(error) ? errors.notFound(refusal('archive.notFound')) : error
  })
  if (!streamerList.available || !broadcastList.available) throw errors.unavailable(refusal('radio.unavailable'))
  const streamer = streamerList.streamers.find(({ id }) => id === streamerId)
  const broadcast = broadcastList.broadcasts.find(({ id }) => id === broadcastId)
  if (!streamer || !broadcast?.timestampEnd || !broadcast.recording) throw errors.notFound(refusal('archive.notFound'))
  const { size, type } = broadcast.recording
  return {
    filename: createRecordingFilename(streamer.streamer_username, new Date(broadcast.timestampStart), type),
    size,
  }
}

export const isNotFound = (error: unknown) => error instanceof AppError && error.code === 'NOT_FOUND'

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
