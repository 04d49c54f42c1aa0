import { and, eq, gte, lt, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { listenerCount, streamer } from '#db/schema/index.ts'
import type { SessionUser } from '#server/core/auth/sessions.ts'
import type { Context, Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import type { ListenerCounts, listenerCountsInput } from '#src/contract/radio.ts'
import { refusal } from '#src/contract/refusal.ts'

const MINUTE_MS = 60_000
const KEEP_MS = 30 * 24 * 60 * MINUTE_MS
/** Durations of a span. The answer has at most MAX_SPANS of them. */
const SPAN_MINUTES = [1, 2, 5, 10, 15, 30, 60]
const MAX_SPANS = 168

/**
 * Adds this process's listeners to the counts of a minute. Several processes add to the same row. Each does so once per
 * minute that began while it was running, so a restart does not count listeners twice.
 */
export async function storeListenerCounts({ db, radio, now }: Pick<Services, 'db' | 'radio' | 'now'>): Promise<void> {
  const at = new Date(Math.floor(now().getTime() / MINUTE_MS) * MINUTE_MS)
  // Minutes without listeners have no row: an unused site writes nothing.
  const rows = radio
    .stats()
    .listeners.flatMap(([stationId, listeners]) => (listeners > 0 ? { stationId, at, listeners } : []))
  if (rows.length === 0) return
  await db
    .insert(listenerCount)
    .values(rows)
    .onConflictDoUpdate({
      target: [listenerCount.stationId, listenerCount.at],
      set: { listeners: sql`${listenerCount.listeners} + excluded.listeners` },
    })
}

/** @throws AppError 404, or 403 for others than admins and streamers whose account is not disabled */
export async function readListenerCounts(
  { db, now, radio }: Pick<Context, 'db' | 'now' | 'radio'>,
  { station, hours }: z.output<typeof listenerCountsInput>,
  user: SessionUser,
): Promise<ListenerCounts> {
  await radio.assertStation(station)
  if (user.role !== 'admin') {
    const isActive = and(eq(streamer.userId, user.id), eq(streamer.disabled, false))
    if ((await db.$count(streamer, isActive)) === 0) throw errors.forbidden(refusal('radio.listenerForbidden'))
  }
  const minutes = SPAN_MINUTES.find((one) => (hours * 60) / one <= MAX_SPANS) ?? 60
  const spanMs = minutes * MINUTE_MS
  const current = Math.floor(now().getTime() / spanMs)
  const first = current - (hours * 60) / minutes + 1
  const span = sql<number>`floor(extract(epoch from ${listenerCount.at}) / ${minutes * 60}::int)::int`
  const rows = await db
    .select({ span, listeners: sql<number>`max(${listenerCount.listeners})` })
    .from(listenerCount)
    .where(and(eq(listenerCount.stationId, station), gte(listenerCount.at, new Date(first * spanMs))))
    // by position: the parameter of the division would be another one in `group by`
    .groupBy(sql`1`)
  const counts = new Map(rows.map((row) => [row.span, row.listeners]))
  const spans = Array.from({ length: current - first + 1 }, (_, index) => ({
    at: new Date((first + index) * spanMs),
    listeners: counts.get(first + index) ?? 0,
  }))
  const most = Math.max(...spans.map(({ listeners }) => listeners))
  return { station, minutes, peak: spans.find(({ listeners }) => listeners === most && most > 0) ?? null, spans }
}

export async function deleteOldListenerCounts({ db, now }: Pick<Services, 'db' | 'now'>): Promise<void> {
  await db.delete(listenerCount).where(lt(listenerCount.at, new Date(now().getTime() - KEEP_MS)))
}

/** Timers may fire early, but a count belongs to the minute that has begun. */
const DELAY_MS = 50

/** Stores the listeners of this process at the start of each minute. */
export function startListenerCounts(services: Pick<Services, 'db' | 'radio' | 'now' | 'log'>): { close: () => void } {
  const { now, log } = services
  let timer: NodeJS.Timeout

  function schedule(): void {
    const waitMs = MINUTE_MS - (now().getTime() % MINUTE_MS) + DELAY_MS
    timer = setTimeout(() => {
      schedule()
      storeListenerCounts(services).catch((error) => log.warn({ err: error }, 'Cannot store the number of listeners'))
    }, waitMs).unref()
  }

  schedule()
  return { close: () => clearTimeout(timer) }
}
