import { and, eq } from 'drizzle-orm'
import { job, liveHost } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { publish, writeAndPublish } from '#server/core/events/writeAndPublish.ts'
import { LIVE_STATION_ID } from '#server/features/radio/mix/createLive.ts'

type Writer = Pick<Services, 'db' | 'cache' | 'now'>
export type Host = { process: string; url: string }

export const JOB_NAME = 'live-sources'

const isStation = eq(liveHost.stationId, LIVE_STATION_ID)

/** Names the process that has the sources, and tells the others. */
export async function writeHost(ctx: Writer, host: Host): Promise<void> {
  await writeAndPublish(ctx, async (tx) => {
    await tx
      .insert(liveHost)
      .values({ stationId: LIVE_STATION_ID, ...host })
      .onConflictDoUpdate({ target: liveHost.stationId, set: host })
    await publish(tx, ctx.now(), [{ topic: 'streamers', change: { kind: 'live-host' } }])
  })
}

/** @returns false if another process has the sources */
export async function deleteHost({ db }: Pick<Services, 'db'>, { process }: Host): Promise<boolean> {
  const deleted = await db
    .delete(liveHost)
    .where(and(isStation, eq(liveHost.process, process)))
    .returning({ process: liveHost.process })
  return deleted.length > 0
}

/** Lets any process run the job now. */
export async function endLease({ db }: Pick<Services, 'db'>): Promise<void> {
  await db.update(job).set({ leasedUntil: null }).where(eq(job.name, JOB_NAME))
}

/** Returns the process that had the sources last, also if it died; null after it closed. */
export async function readHost({ db }: Pick<Services, 'db'>): Promise<Host | null> {
  const [host] = await db.select({ process: liveHost.process, url: liveHost.url }).from(liveHost).where(isStation)
  return host ?? null
}
