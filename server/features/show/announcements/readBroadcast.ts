import { eq } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { broadcast, show } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'

const columns = {
  id: broadcast.id,
  stationId: broadcast.stationId,
  streamer: broadcast.streamerName,
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
