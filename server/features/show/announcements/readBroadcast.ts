import { and, desc, eq, isNull } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { board, broadcast, show, thread } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { SERVICE_TYPE } from '#server/features/radio/broadcastRows.ts'
import { downloadPath, hasEnded } from '#src/contract/archive.ts'
import { threadPath } from '#src/contract/thread.ts'

const columns = {
  id: broadcast.id,
  stationId: broadcast.stationId,
  streamer: broadcast.streamerName,
  type: broadcast.type,
  title: broadcast.title,
  description: show.description,
  startedAt: broadcast.startedAt,
  endedAt: broadcast.endedAt,
  threadId: broadcast.threadId,
  startAnnouncedAt: broadcast.startAnnouncedAt,
  endAnnouncedAt: broadcast.endAnnouncedAt,
}

export type AnnouncedBroadcast = NonNullable<Awaited<ReturnType<typeof readBroadcast>>>

export async function readBroadcast({ db }: { db: Pick<Services['db'], 'select'> }, broadcastId: number) {
  const [found] = await select(db, broadcastId)
  return found ?? null
}

/** Locks the row, so that two processes do not announce the same broadcast. */
export async function lockBroadcast(tx: Transaction, broadcastId: number): Promise<AnnouncedBroadcast | null> {
  const [found] = await select(tx, broadcastId).for('no key update', { of: broadcast })
  return found ?? null
}

const select = (db: Pick<Services['db'], 'select'>, broadcastId: number) =>
  db.select(columns).from(broadcast).leftJoin(show, eq(show.id, broadcast.showId)).where(eq(broadcast.id, broadcastId))

/** The radio service notices a source a little earlier or later than this site. */
const MAX_START_DIFFERENCE_MS = 2 * 60_000

/** Paths of a recording: the archive's page with its streamer, and its file. */
export type RecordingPaths = { page: string; file: string }

/**
 * Looks a broadcast up in the archive: its own recording, or else the one that began with it, because the recordings of
 * a radio service have other ids. Returns null if there is none, or not yet.
 */
export async function findRecording(
  { radio }: Pick<Services, 'radio'>,
  { id, stationId, streamer, type, startedAt }: AnnouncedBroadcast,
): Promise<RecordingPaths | null> {
  const { streamers } = await radio.streamers(stationId)
  const isSame = (name: string) => name.toLowerCase() === streamer.toLowerCase()
  const found = streamers.find(
    ({ display_name, streamer_username }) => isSame(display_name) || isSame(streamer_username),
  )
  if (!found) return null
  const { broadcasts } = await radio.broadcasts(stationId, found.id)
  const distance = (start: string) => Math.abs(Date.parse(start) - startedAt.getTime())
  const recorded = broadcasts.filter((one) => one.recording !== null && hasEnded(one))
  const own = type === SERVICE_TYPE ? undefined : recorded.find((one) => one.id === id)
  const [nearest] = recorded
    .filter(({ timestampStart }) => distance(timestampStart) <= MAX_START_DIFFERENCE_MS)
    .sort((a, b) => distance(a.timestampStart) - distance(b.timestampStart))
  const recording = own ?? nearest
  return recording
    ? { page: `/archive?streamer=${found.id}`, file: downloadPath(stationId, found.id, recording.id) }
    : null
}

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

/** Returns the path of the thread of the broadcast that is running on a station. */
export async function readLiveThread({ db }: Pick<Services, 'db'>, stationId: number): Promise<string | null> {
  const [place] = await db
    .select({ boardId: board.id, threadId: thread.id })
    .from(broadcast)
    .innerJoin(thread, eq(thread.id, broadcast.threadId))
    .innerJoin(board, eq(board.id, thread.boardId))
    .where(
      and(
        eq(broadcast.stationId, stationId),
        isNull(broadcast.endedAt),
        isNull(thread.deletedAt),
        isNull(board.deletedAt),
      ),
    )
    .orderBy(desc(broadcast.id))
    .limit(1)
  return place ? threadPath(place.boardId, place.threadId) : null
}
