import { and, count, desc, eq, isNull, ne } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { broadcast, broadcastTrack } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { publish, writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { recordingLimits } from '#src/contract/archive.ts'
import { parseLine } from './input/titles.ts'
import type { LiveTitle } from './mix/types.ts'

export type BroadcastRows = ReturnType<typeof createBroadcastRows>
export type StoredTrack = Awaited<ReturnType<BroadcastRows['listTracks']>>[number]
export type OpenBroadcast = Awaited<ReturnType<BroadcastRows['listOpen']>>[number]

type NewBroadcast = {
  stationId: number
  /** a streamer of a radio service has no account */
  streamer: { userId: string | null; name: string }
  showId: number | null
  title: string | null
  type: string
  /** an admin put it on air */
  isForced?: boolean
  startedAt: Date
}
/** The media type of broadcasts of a radio service: this site has no frames of them. */
export const SERVICE_TYPE = ''
/** The file of a broadcast. */
export type Written = { file: string; type: string; bytes: number; seconds: number }

/** A source can send a title in two steps: a track this soon after the previous one replaces it. */
const MIN_TRACK_SECONDS = 1

export const publishBroadcast = (tx: Transaction, now: Date, broadcastId: number, kind: 'broadcast' | 'tracks') =>
  publish(tx, now, [{ topic: 'shows', change: { kind, broadcastId } }])

/** Writes broadcasts from their start to their end, their recordings and their tracks. */
export function createBroadcastRows({ db, cache, now }: Pick<Services, 'db' | 'cache' | 'now'>) {
  /** Runs a write, and publishes the broadcast whose id it returns. */
  const write = <Id extends number | null>(kind: 'broadcast' | 'tracks', run: (tx: Transaction) => Promise<Id>) =>
    writeAndPublish({ db, cache }, async (tx) => {
      const id = await run(tx)
      if (id !== null) await publishBroadcast(tx, now(), id, kind)
      return id
    })

  async function insert(tx: Transaction, values: typeof broadcast.$inferInsert): Promise<number> {
    const [inserted] = await tx.insert(broadcast).values(values).returning({ id: broadcast.id })
    if (!inserted) throw new Error('INSERT returned no broadcast')
    return inserted.id
  }

  return {
    async insert({ streamer, ...values }: NewBroadcast): Promise<number> {
      const row = { ...values, userId: streamer.userId, streamerName: streamer.name, aliveAt: values.startedAt }
      return write('broadcast', (tx) => insert(tx, row))
    },

    /** Notes that a broadcast is running. @returns false if it has ended meanwhile */
    async refresh(id: number): Promise<boolean> {
      const refreshed = await db
        .update(broadcast)
        .set({ aliveAt: now() })
        .where(and(eq(broadcast.id, id), isNull(broadcast.endedAt)))
        .returning({ id: broadcast.id })
      return refreshed.length > 0
    },

    /** Notes that an admin put it on air. */
    async force(id: number): Promise<void> {
      await db.update(broadcast).set({ isForced: true }).where(eq(broadcast.id, id))
    },

    /** Ends a broadcast. Changes nothing if it has ended before. */
    async end(id: number, endedAt: Date): Promise<void> {
      await write('broadcast', async (tx) => {
        const ended = await tx
          .update(broadcast)
          .set({ endedAt })
          .where(and(eq(broadcast.id, id), isNull(broadcast.endedAt)))
          .returning({ id: broadcast.id })
        return ended[0]?.id ?? null
      })
    },

    /** Returns the broadcasts of live sources of a station that have not ended, newest first. */
    async listOpen(stationId: number) {
      const { id, userId, showId, title, startedAt, type, seconds, aliveAt, isForced } = broadcast
      return db
        .select({ id, userId, showId, title, startedAt, type, seconds, aliveAt, isForced })
        .from(broadcast)
        .where(and(eq(broadcast.stationId, stationId), isNull(broadcast.endedAt), ne(type, SERVICE_TYPE)))
        .orderBy(desc(broadcast.id))
    },

    /** Returns the last tracks of a broadcast, newest first. */
    async listTracks(id: number, limit: number) {
      const { seconds, artist, title } = broadcastTrack
      return db
        .select({ seconds, artist, title })
        .from(broadcastTrack)
        .where(eq(broadcastTrack.broadcastId, id))
        .orderBy(desc(broadcastTrack.id))
        .limit(limit)
    },

    async readFile(id: number) {
      const { file, type, bytes, seconds } = broadcast
      const [row] = await db.select({ file, type, bytes, seconds }).from(broadcast).where(eq(broadcast.id, id))
      return row
    },

    async saveFile(id: number, written: Written): Promise<void> {
      await db.update(broadcast).set(written).where(eq(broadcast.id, id))
    },

    /** Stores the final size; without a file, there is no recording. */
    async completeFile(id: number, written: Pick<Written, 'bytes' | 'seconds'> | null): Promise<void> {
      await write('broadcast', async (tx) => {
        const values = written
          ? { bytes: written.bytes, seconds: written.seconds }
          : { file: null, bytes: 0, seconds: 0 }
        await tx.update(broadcast).set(values).where(eq(broadcast.id, id))
        return id
      })
    },

    /**
     * Makes a finished file a broadcast of its own, with its tracks. The row then describes the next file. The show
     * goes on, so the new row and its end are not announced.
     */
    async splitFile(id: number, written: Written): Promise<void> {
      await write('broadcast', async (tx) => {
        const [row] = await tx.select().from(broadcast).where(eq(broadcast.id, id))
        if (!row) return null
        const { id: _id, threadId: _thread, ...copied } = row
        const marks = { endedAt: now(), startAnnouncedAt: now(), endAnnouncedAt: now() }
        const part = await insert(tx, { ...copied, ...written, ...marks })
        await tx.update(broadcastTrack).set({ broadcastId: part }).where(eq(broadcastTrack.broadcastId, id))
        return id
      })
    },

    /**
     * Adds a track. A broadcast has a limited number of tracks.
     * @returns false if the track is the last one already
     */
    async addTrack(id: number, position: number, sent: LiveTitle): Promise<boolean> {
      const artist = parseLine(sent.artist, recordingLimits.text)
      const title = parseLine(sent.title, recordingLimits.text)
      if (!artist && !title) return false
      const ofBroadcast = eq(broadcastTrack.broadcastId, id)
      let isNew = true
      await write('tracks', async (tx) => {
        const [last] = await tx
          .select()
          .from(broadcastTrack)
          .where(ofBroadcast)
          .orderBy(desc(broadcastTrack.id))
          .limit(1)
        isNew = last?.artist !== artist || last.title !== title
        if (!isNew) return null
        if (last && position - last.seconds < MIN_TRACK_SECONDS) {
          await tx.update(broadcastTrack).set({ artist, title }).where(eq(broadcastTrack.id, last.id))
          return id
        }
        const [counted] = await tx.select({ tracks: count() }).from(broadcastTrack).where(ofBroadcast)
        if ((counted?.tracks ?? 0) >= recordingLimits.tracks) return null
        await tx.insert(broadcastTrack).values({ broadcastId: id, seconds: position, artist, title })
        return id
      })
      return isNew
    },
  }
}
