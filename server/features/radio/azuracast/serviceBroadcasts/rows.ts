import { and, asc, desc, eq, isNull } from 'drizzle-orm'
import { broadcast, broadcastTrack } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { publish, writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import type { LiveTitle, OnAir } from '#server/features/radio/mix/types.ts'

type Writer = Pick<Services, 'db' | 'cache' | 'now'>

/** The type of broadcasts of the service: this site has no frames of them. */
const NO_TYPE = ''

export async function readRunning({ db }: Pick<Services, 'db'>): Promise<OnAir[]> {
  const rows = await db
    .select()
    .from(broadcast)
    .where(and(isNull(broadcast.endedAt), eq(broadcast.type, NO_TYPE)))
    .orderBy(asc(broadcast.id))
  return rows.map(toOnAir)
}

export async function insertBroadcast(services: Writer, stationId: number, streamerName: string): Promise<OnAir> {
  const startedAt = services.now()
  return writeAndPublish(services, async (tx) => {
    const [row] = await tx.insert(broadcast).values({ stationId, streamerName, startedAt, type: NO_TYPE }).returning()
    if (!row) throw new Error('The broadcast was not inserted')
    await publish(tx, startedAt, [{ topic: 'shows', change: { kind: 'broadcast', broadcastId: row.id } }])
    return toOnAir(row)
  })
}

export async function endBroadcast(services: Writer, broadcastId: number, endedAt: Date): Promise<void> {
  await writeAndPublish(services, async (tx) => {
    await tx.update(broadcast).set({ endedAt }).where(eq(broadcast.id, broadcastId))
    await publish(tx, services.now(), [{ topic: 'shows', change: { kind: 'broadcast', broadcastId } }])
  })
}

/** @returns false if the track is the last one already: a process before this one may have stored it */
export async function addTrack(
  services: Writer,
  { broadcastId, startedAt }: OnAir,
  track: LiveTitle,
): Promise<boolean> {
  const now = services.now()
  return writeAndPublish(services, async (tx) => {
    const [last] = await tx
      .select({ artist: broadcastTrack.artist, title: broadcastTrack.title })
      .from(broadcastTrack)
      .where(eq(broadcastTrack.broadcastId, broadcastId))
      .orderBy(desc(broadcastTrack.seconds), desc(broadcastTrack.id))
      .limit(1)
    if (last?.artist === track.artist && last.title === track.title) return false
    const seconds = Math.max(0, (now.getTime() - startedAt.getTime()) / 1000)
    await tx.insert(broadcastTrack).values({ broadcastId, seconds, ...track })
    await publish(tx, now, [{ topic: 'shows', change: { kind: 'tracks', broadcastId } }])
    return true
  })
}

const toOnAir = (row: typeof broadcast.$inferSelect): OnAir => ({
  broadcastId: row.id,
  stationId: row.stationId,
  streamer: { userId: row.userId ?? '', name: row.streamerName },
  showId: row.showId,
  title: row.title,
  startedAt: row.startedAt,
  type: row.type,
  format: '',
})
