import type { Services } from '#server/core/context.ts'
import { AppError, errors } from '#server/core/errors.ts'
import type { Broadcast } from '#src/contract/archive.ts'
import { archiveMessages } from '#src/contract/archive.ts'
import { radioMessages } from '#src/contract/radio.ts'
import { createRecordingFilename } from './filename.ts'

type Scope = Pick<Services, 'radio'>
type StreamerIds = { stationId: number; streamerId: number }
export type BroadcastIds = StreamerIds & { broadcastId: number }

/** The broadcasts of a streamer, newest first, those still running too. */
export async function listBroadcasts({ radio }: Scope, { stationId, streamerId }: StreamerIds) {
  const { broadcasts, available } = await radio.broadcasts(stationId, streamerId)
  return { broadcasts: broadcasts.toSorted(newestFirst), available }
}

const newestFirst = (a: Broadcast, b: Broadcast) =>
  Date.parse(b.timestampStart) - Date.parse(a.timestampStart) || b.id - a.id

/**
 * The recording of a broadcast that has ended: the name its file is saved under and its size in bytes.
 * @throws AppError 404 when there is none, 503 when the radio service gives no answer
 */
export async function findRecording({ radio }: Scope, { stationId, streamerId, broadcastId }: BroadcastIds) {
  // What can be no id is unknown, whether the radio answers or not.
  if (broadcastId < 0) throw errors.notFound(archiveMessages.notFound)
  const [known, list] = await Promise.all([radio.streamers(stationId), radio.broadcasts(stationId, streamerId)]).catch(
    (error) => {
      // Whichever of the three is unknown, what was asked for is the broadcast.
      throw isNotFound(error) ? errors.notFound(archiveMessages.notFound) : error
    },
  )
  if (!known.available || !list.available) throw errors.unavailable(radioMessages.unavailable)
  const streamer = known.streamers.find(({ id }) => id === streamerId)
  const broadcast = list.broadcasts.find(({ id }) => id === broadcastId)
  if (!streamer || !broadcast?.timestampEnd || !broadcast.recording) throw errors.notFound(archiveMessages.notFound)
  return {
    filename: createRecordingFilename(streamer.streamer_username, new Date(broadcast.timestampStart)),
    size: broadcast.recording.size,
  }
}

export const isNotFound = (error: unknown) => error instanceof AppError && error.code === 'NOT_FOUND'
