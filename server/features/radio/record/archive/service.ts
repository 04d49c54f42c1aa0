import { withTimeout } from '#db/withTimeout.server.ts'
import type { Services } from '#server/core/context.ts'
import { AppError, errors } from '#server/core/errors.ts'
import { extensionOf } from '#server/features/radio/record/store.ts'
import type { Broadcast } from '#src/contract/archive.ts'
import type { LinkCard } from '#src/contract/links.ts'
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

async function findBroadcast({ radio }: Scope, { stationId, streamerId, broadcastId }: BroadcastIds) {
  const [{ streamers, ...list }, { broadcasts, available }] = await Promise.all([
    radio.streamers(stationId),
    radio.broadcasts(stationId, streamerId),
  ])
  const streamer = streamers.find(({ id }) => id === streamerId)
  const broadcast = broadcasts.find(({ id }) => id === broadcastId)
  return { streamer, broadcast, available: list.available && available }
}

/** @throws AppError 404, or 503 if the radio service does not respond */
export async function findRecording(scope: Scope, ids: BroadcastIds) {
  if (ids.broadcastId < 0) throw errors.notFound(refusal('archive.notFound'))
  const { streamer, broadcast, available } = await findBroadcast(scope, ids).catch((error) => {
    // The client requested a broadcast: report it as missing, even if its station or streamer is unknown.
    throw isNotFound(error) ? errors.notFound(refusal('archive.notFound')) : error
  })
  if (!available) throw errors.unavailable(refusal('radio.unavailable'))
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
  scope: Scope,
  { stationId, streamerId, broadcastId }: BroadcastIds,
): Promise<LinkCard | null> {
  const read = async (): Promise<LinkCard | null> => {
    const { streamer, broadcast } = await findBroadcast(scope, { stationId, streamerId, broadcastId })
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

/** Limits characters in a file name: file systems allow 255 bytes, and a character takes up to four bytes. */
const MAX_NAME_LENGTH = 48

const UNSAFE_CHARACTERS = /[\s\p{C}\p{Zl}\p{Zp}<>:"/\\|?*;%]+/gu

export function createRecordingFilename(streamer: string, start: Date, type = 'audio/mpeg'): string {
  const fit = [...streamer.toWellFormed().replace(UNSAFE_CHARACTERS, '_')].slice(0, MAX_NAME_LENGTH).join('')
  const name = fit.replace(/^[._]+|[._]+$/g, '') || 'broadcast'
  const [day = ''] = start.toISOString().split('T')
  return `${name}_${day.split('-').reverse().join('-')}.${extensionOf(type)}`
}

/** Returns a Content-Disposition header with an ASCII name. Adds the full name if it differs (RFC 6266). */
export function createContentDisposition(filename: string): string {
  const ascii = filename
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^\w.+()@-]+/g, '_')
  const plain = `attachment; filename="${ascii}"`
  return ascii === filename ? plain : `${plain}; filename*=UTF-8''${encodeRfc8187(filename)}`
}

/** Percent-encodes as in RFC 8187, including `'`, `(`, `)` and `*`, which encodeURIComponent keeps. */
const encodeRfc8187 = (text: string) =>
  encodeURIComponent(text).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
