import type { Services } from '#server/core/context.ts'
import { AppError, errors } from '#server/core/errors.ts'
import type { Broadcast } from '#src/contract/archive.ts'
import { refusal } from '#src/contract/refusal.ts'
import { createRecordingFilename } from './filename.ts'

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
