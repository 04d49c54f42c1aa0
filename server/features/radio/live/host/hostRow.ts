import { and, eq, gt, inArray, lte, or, sql } from 'drizzle-orm'
import { liveHost } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { publish, writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { LIVE_STATION_ID } from '#server/features/radio/live/createLive.ts'

type Writer = Pick<Services, 'db' | 'cache' | 'now'>
export type Host = { process: string; url: string }

/** Leases use the database's clock, because the clocks of several machines differ. */
const inMs = (ms: number) => sql`clock_timestamp() + make_interval(secs => ${ms / 1000}::float8)`
const isStation = eq(liveHost.stationId, LIVE_STATION_ID)

/**
 * Takes the station for this process, unless another one has it.
 * @param unreachable a process that does not answer any more
 * @returns the process that has the station now, and whether it is new
 */
export async function claimHost(
  ctx: Writer,
  own: Host,
  unreachable: Host | null,
  leaseMs: number,
): Promise<{ host: Host; isNew: boolean }> {
  const leasedUntil = inMs(leaseMs)
  const free = or(
    inArray(liveHost.process, [own.process, ...(unreachable ? [unreachable.process] : [])]),
    lte(liveHost.leasedUntil, sql`clock_timestamp()`),
  )
  return writeAndPublish(ctx, async (tx) => {
    const [before] = await tx.select().from(liveHost).where(isStation).for('update')
    const [claimed] = await tx
      .insert(liveHost)
      .values({ stationId: LIVE_STATION_ID, ...own, leasedUntil })
      .onConflictDoUpdate({ target: liveHost.stationId, set: { ...own, leasedUntil }, setWhere: free })
      .returning()
    const host = claimed ?? before ?? own
    const isNew = claimed !== undefined && before?.process !== own.process
    if (isNew) await publish(tx, ctx.now(), [{ topic: 'streamers', change: { kind: 'live-host' } }])
    return { host, isNew }
  })
}

/** @returns false if another process has taken the station */
export async function refreshHost({ db }: Pick<Services, 'db'>, { process }: Host, leaseMs: number): Promise<boolean> {
  const refreshed = await db
    .update(liveHost)
    .set({ leasedUntil: inMs(leaseMs) })
    .where(and(isStation, eq(liveHost.process, process)))
    .returning({ process: liveHost.process })
  return refreshed.length > 0
}

export async function releaseHost({ db }: Pick<Services, 'db'>, { process }: Host): Promise<void> {
  await db.delete(liveHost).where(and(isStation, eq(liveHost.process, process)))
}

/** Returns the process that has the station, or null. */
export async function readHost({ db }: Pick<Services, 'db'>): Promise<Host | null> {
  const [host] = await db
    .select({ process: liveHost.process, url: liveHost.url })
    .from(liveHost)
    .where(and(isStation, gt(liveHost.leasedUntil, sql`clock_timestamp()`)))
  return host ?? null
}
