import { and, asc, gt, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import { broadcast } from '#db/schema/index.ts'
import type { Config } from '#server/core/config/config.ts'
import type { Services } from '#server/core/context.ts'
import { announceEnd } from './announceEnd.ts'
import { announceStart } from './announceStart.ts'

/** Broadcasts that ended longer ago get no thread: the setting may be new. */
const LATE_START_MS = 10 * 60_000
/** Older broadcasts are not announced any more. Longer than a broadcast, and uses the index of the starts. */
const MAX_AGE_MS = 3 * 24 * 60 * 60_000
/** Limits the work of a run. */
const BATCH = 50

export const isAnnouncing = ({ showBoard, webhooks }: Pick<Config, 'showBoard' | 'webhooks'>): boolean =>
  showBoard !== null || webhooks.radio !== null

/** Returns the conditions of broadcasts whose start or end is not announced. */
function findUnannounced(now: Date) {
  const before = (ms: number) => new Date(now.getTime() - ms)
  const isRecent = gt(broadcast.startedAt, before(MAX_AGE_MS))
  const isStarted = or(isNull(broadcast.endedAt), gt(broadcast.endedAt, before(LATE_START_MS)))
  return {
    starts: and(isRecent, isNull(broadcast.startAnnouncedAt), isStarted),
    ends: and(
      isRecent,
      isNotNull(broadcast.startAnnouncedAt),
      isNull(broadcast.endAnnouncedAt),
      isNotNull(broadcast.endedAt),
    ),
  }
}

/** Returns the query of a time that is due if a broadcast is not announced. */
export function nextAnnouncement({ config, now }: Pick<Services, 'config' | 'now'>): SQL | null {
  if (!isAnnouncing(config)) return null
  const { starts, ends } = findUnannounced(now())
  return sql`select ${now().toISOString()} from ${broadcast} where ${or(starts, ends)} limit 1`
}

/** Announces what a process could not: because it died, the database failed, or the recording was not ready. */
export async function announceBroadcasts(services: Services, signal: AbortSignal): Promise<void> {
  const { config, db, now, log } = services
  if (!isAnnouncing(config)) return
  const { starts, ends } = findUnannounced(now())
  const steps = [
    { announce: announceStart, due: starts },
    { announce: announceEnd, due: ends },
  ]
  for (const { announce, due } of steps) {
    const rows = await db
      .select({ id: broadcast.id })
      .from(broadcast)
      .where(due)
      .orderBy(asc(broadcast.id))
      .limit(BATCH)
    for (const { id } of rows) {
      signal.throwIfAborted()
      // One broadcast must not prevent the announcement of the others.
      await announce(services, id).catch((error: unknown) => log.error({ err: error }, 'Cannot announce a broadcast'))
    }
  }
}
