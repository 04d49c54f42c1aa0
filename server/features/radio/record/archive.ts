import { and, desc, eq, gt, isNotNull, type SQL, sql } from 'drizzle-orm'
import { broadcast, broadcastTrack } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { hashId } from '#server/features/radio/library/files.ts'
import type { ByteRange, SourceRecording } from '#server/features/radio/types.ts'
import type { Broadcast, BroadcastSummary, Streamer } from '#src/contract/archive.ts'
import { refusal } from '#src/contract/refusal.ts'
import { openRecordings, partOf } from './store.ts'

/** Limits a page's size. */
const MAX_STREAMERS = 1000
const MAX_RECORDINGS = 2000
const MAX_LATEST = 100

type RecordedStreamer = { id: number; name: string; summary: BroadcastSummary }

/** Matches complete recordings. */
export const isRecorded = and(isNotNull(broadcast.endedAt), isNotNull(broadcast.file), gt(broadcast.bytes, 0))
const isShown = eq(broadcast.isHidden, false)

const tracks = sql<number>`(select count(*)::int from ${broadcastTrack} t where t.broadcast_id = "broadcast"."id")`

/** Lists the recordings of a station, newest first. */
export async function listRecordings(
  db: Services['db'],
  { stationId, where, limit }: { stationId: number; where: SQL | undefined; limit: number },
) {
  const { id, title, startedAt, endedAt, file, type, bytes, seconds, streamerName, isHidden } = broadcast
  const rows = await db
    .select({ id, title, startedAt, endedAt, file, type, bytes, seconds, streamerName, isHidden, tracks })
    .from(broadcast)
    .where(and(isRecorded, eq(broadcast.stationId, stationId), where))
    .orderBy(desc(startedAt), desc(id))
    .limit(limit)
  return rows.map(({ streamerName, isHidden, ...row }) => ({
    streamerName,
    file: row.file,
    isHidden,
    broadcast: toBroadcast(row),
  }))
}

type Recorded = Pick<typeof broadcast.$inferSelect, 'file' | 'startedAt' | 'endedAt' | 'seconds'>
type Row = Recorded & Pick<typeof broadcast.$inferSelect, 'id' | 'title' | 'type' | 'bytes'> & { tracks: number }

/** A recording begins with its broadcast. Later parts of a broadcast begin when the format changes. */
export function recordedFrom({ file, startedAt, endedAt, seconds }: Recorded): Date {
  if (partOf(file) <= 1 || endedAt === null) return startedAt
  return new Date(Math.max(startedAt.getTime(), endedAt.getTime() - Math.round(seconds * 1000)))
}

/** The end follows from the recording: a broadcast can have been interrupted. */
function toBroadcast({ id, title, type, bytes, tracks, ...recorded }: Row): Broadcast {
  const start = recordedFrom(recorded)
  return {
    id,
    title,
    timestampStart: start.toISOString(),
    timestampEnd: new Date(start.getTime() + Math.round(recorded.seconds * 1000)).toISOString(),
    recording: { size: bytes, type },
    tracks,
  }
}

export type RecordingArchive = ReturnType<typeof createRecordingArchive>

/** The site's recordings as a part of the archive. */
export function createRecordingArchive({ db, config }: Pick<Services, 'db' | 'config'>) {
  const store = openRecordings(config)
  /** Leaves out rows without a file: a backup has no recordings. If the bucket does not answer, all rows are listed. */
  const withFile = async <Row extends { file: string | null }>(rows: Row[]): Promise<Row[]> => {
    const names = rows.length > 0 ? await store.names() : null
    return names ? rows.filter(({ file }) => names.has(file)) : rows
  }

  return {
    /** Lists streamers with a recording, even if it is hidden: they find it there. */
    async streamers(stationId: number): Promise<RecordedStreamer[]> {
      const shown = sql`filter (where not ${broadcast.isHidden})`
      const rows = await db
        .select({
          name: broadcast.streamerName,
          count: sql<number>`count(*) ${shown}`.mapWith(Number),
          latest: sql<string | null>`max(${broadcast.startedAt}) ${shown}`,
          seconds: sql<number>`coalesce(sum(${broadcast.seconds}) ${shown}, 0)`.mapWith(Number),
          bytes: sql<number>`coalesce(sum(${broadcast.bytes}) ${shown}, 0)`.mapWith(Number),
        })
        .from(broadcast)
        .where(and(isRecorded, eq(broadcast.stationId, stationId)))
        .groupBy(broadcast.streamerName)
        .orderBy(broadcast.streamerName)
        .limit(MAX_STREAMERS)
      return rows.map(({ name, latest, seconds, ...rest }) => ({
        id: hashId(name),
        name,
        summary: { ...rest, seconds: Math.round(seconds), latest: latest && new Date(latest).toISOString() },
      }))
    },

    async broadcasts(stationId: number, streamer: string): Promise<Broadcast[]> {
      const where = and(isShown, eq(broadcast.streamerName, streamer))
      const listed = await listRecordings(db, { stationId, where, limit: MAX_RECORDINGS })
      return (await withFile(listed)).map(({ broadcast }) => broadcast)
    },

    /** Lists the newest recordings of all streamers. */
    async latest(stationId: number): Promise<{ streamer: Streamer; broadcast: Broadcast }[]> {
      const listed = await listRecordings(db, { stationId, where: isShown, limit: MAX_LATEST })
      return (await withFile(listed)).map(({ streamerName, broadcast }) => ({
        streamer: toStreamer(streamerName),
        broadcast,
      }))
    },

    /** @throws AppError NOT_FOUND; RadioUnavailable when the recording cannot be read */
    async open(broadcastId: number, range: ByteRange | null, signal: AbortSignal): Promise<SourceRecording> {
      const [row] = await db
        .select({ file: broadcast.file, type: broadcast.type })
        .from(broadcast)
        .where(and(isRecorded, isShown, eq(broadcast.id, broadcastId)))
      if (!row?.file) throw errors.notFound(refusal('archive.notFound'))
      return store.open(row.file, row.type, range, signal)
    },
  }
}

const toStreamer = (name: string): Streamer => ({
  id: hashId(name),
  streamer_username: name,
  display_name: name,
  comments: null,
})

/** A streamer with files and recordings is listed once: the ids are hashes of the name. */
export function mergeStreamers(listed: Streamer[], recorded: RecordedStreamer[]): Streamer[] {
  const known = new Set(listed.map(({ id }) => id))
  const added = recorded.filter(({ id }) => !known.has(id))
  if (added.length === 0) return listed
  const streamers = added.map(({ name }) => toStreamer(name))
  return [...listed, ...streamers].sort((a, b) => a.display_name.localeCompare(b.display_name, 'en') || a.id - b.id)
}
