import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { broadcast } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { publish, writeAndPublish } from '#server/core/events/writeAndPublish.ts'

type Writer = Pick<Services, 'db' | 'cache' | 'now'>

export type NewBroadcast = {
  stationId: number
  streamer: { userId: string; name: string }
  showId: number | null
  title: string | null
  type: string
  startedAt: Date
}
export type OpenBroadcast = Awaited<ReturnType<typeof listOpenBroadcasts>>[number]

const publishChange = (tx: Transaction, now: Date, broadcastId: number) =>
  publish(tx, now, [{ topic: 'shows', change: { kind: 'broadcast', broadcastId } }])

export async function insertBroadcast(ctx: Writer, { streamer, ...values }: NewBroadcast): Promise<number> {
  return writeAndPublish(ctx, async (tx) => {
    const row = { ...values, userId: streamer.userId, streamerName: streamer.name, aliveAt: values.startedAt }
    const [created] = await tx.insert(broadcast).values(row).returning({ id: broadcast.id })
    if (!created) throw new Error('INSERT returned no broadcast')
    await publishChange(tx, ctx.now(), created.id)
    return created.id
  })
}

/** Notes that a broadcast is running. @returns false if it has ended meanwhile */
export async function refreshBroadcast({ db, now }: Writer, id: number, listeners: number): Promise<boolean> {
  const refreshed = await db
    .update(broadcast)
    .set({ aliveAt: now(), peakListeners: sql`greatest(${broadcast.peakListeners}, ${listeners}::int)` })
    .where(and(eq(broadcast.id, id), isNull(broadcast.endedAt)))
    .returning({ id: broadcast.id })
  return refreshed.length > 0
}

/** Ends a broadcast. Changes nothing if it has ended before. */
export async function endBroadcast(ctx: Writer, id: number, endedAt: Date, peakListeners: number): Promise<void> {
  await writeAndPublish(ctx, async (tx) => {
    const ended = await tx
      .update(broadcast)
      .set({ endedAt, peakListeners: sql`greatest(${broadcast.peakListeners}, ${peakListeners}::int)` })
      .where(and(eq(broadcast.id, id), isNull(broadcast.endedAt)))
      .returning({ id: broadcast.id })
    if (ended.length > 0) await publishChange(tx, ctx.now(), id)
  })
}

/** Returns the broadcasts of a station that have not ended, newest first. */
export async function listOpenBroadcasts({ db }: Pick<Services, 'db'>, stationId: number) {
  const { id, userId, showId, title, startedAt, type, aliveAt } = broadcast
  return db
    .select({ id, userId, showId, title, startedAt, type, aliveAt })
    .from(broadcast)
    .where(and(eq(broadcast.stationId, stationId), isNull(broadcast.endedAt)))
    .orderBy(sql`${broadcast.id} desc`)
}
