import { count, desc, eq } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { broadcast, broadcastTrack } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { publish, writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { parseLine } from '#server/features/radio/azuracast/parseValues.ts'
import type { LiveTitle } from '#server/features/radio/mix/types.ts'
import { recordingLimits } from '#src/contract/archive.ts'
import type { Written } from './recordingFile.ts'

export type RecordingRows = ReturnType<typeof createRecordingRows>

/** A source can send a title in two steps: a track this soon after the previous one replaces it. */
const MIN_TRACK_SECONDS = 1

export const publishBroadcast = (tx: Transaction, now: Date, broadcastId: number, kind: 'broadcast' | 'tracks') =>
  publish(tx, now, [{ topic: 'shows', change: { kind, broadcastId } }])

/** Reads and writes what the recorder knows about broadcasts. The live side inserts and ends the rows. */
export function createRecordingRows({ db, cache, now }: Pick<Services, 'db' | 'cache' | 'now'>) {
  return {
    async read(id: number) {
      const [row] = await db
        .select({ file: broadcast.file, type: broadcast.type, bytes: broadcast.bytes, seconds: broadcast.seconds })
        .from(broadcast)
        .where(eq(broadcast.id, id))
      return row
    },

    async save(id: number, written: Written): Promise<void> {
      await db.update(broadcast).set(written).where(eq(broadcast.id, id))
    },

    /** Stores the final size; without a file, there is no recording. */
    async complete(id: number, written: Written | null): Promise<void> {
      await writeAndPublish({ db, cache }, async (tx) => {
        const values = written
          ? { bytes: written.bytes, seconds: written.seconds }
          : { file: null, bytes: 0, seconds: 0 }
        await tx.update(broadcast).set(values).where(eq(broadcast.id, id))
        await publishBroadcast(tx, now(), id, 'broadcast')
      })
    },

    /** Makes a finished part a broadcast of its own, with its tracks. The row of the broadcast describes the next part. */
    async split(id: number, written: Written): Promise<void> {
      await writeAndPublish({ db, cache }, async (tx) => {
        const [row] = await tx.select().from(broadcast).where(eq(broadcast.id, id))
        if (!row) return
        const { id: _id, threadId: _thread, ...copied } = row
        const [inserted] = await tx
          .insert(broadcast)
          .values({ ...copied, ...written, endedAt: now() })
          .returning({ id: broadcast.id })
        if (!inserted) throw new Error('INSERT returned no broadcast')
        await tx.update(broadcastTrack).set({ broadcastId: inserted.id }).where(eq(broadcastTrack.broadcastId, id))
        await publishBroadcast(tx, now(), inserted.id, 'broadcast')
      })
    },

    /** Adds a track, unless it is the last one. A broadcast has a limited number of tracks. */
    async addTrack(id: number, position: number, sent: LiveTitle): Promise<void> {
      const artist = parseLine(sent.artist, recordingLimits.text)
      const title = parseLine(sent.title, recordingLimits.text)
      if (!artist && !title) return
      await writeAndPublish({ db, cache }, async (tx) => {
        const ofBroadcast = eq(broadcastTrack.broadcastId, id)
        const [last] = await tx
          .select()
          .from(broadcastTrack)
          .where(ofBroadcast)
          .orderBy(desc(broadcastTrack.id))
          .limit(1)
        if (last?.artist === artist && last.title === title) return
        if (last && position - last.seconds < MIN_TRACK_SECONDS) {
          await tx.update(broadcastTrack).set({ artist, title }).where(eq(broadcastTrack.id, last.id))
        } else {
          const [counted] = await tx.select({ tracks: count() }).from(broadcastTrack).where(ofBroadcast)
          if ((counted?.tracks ?? 0) >= recordingLimits.tracks) return
          await tx.insert(broadcastTrack).values({ broadcastId: id, seconds: position, artist, title })
        }
        await publishBroadcast(tx, now(), id, 'tracks')
      })
    },
  }
}
