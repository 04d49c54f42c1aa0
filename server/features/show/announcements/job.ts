import { and, asc, gt, isNotNull, isNull, or } from 'drizzle-orm'
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

/** Announces what a process could not: because it died, the database failed, or the recording was not ready. */
export async function announceBroadcasts(services: Services, signal: AbortSignal): Promise<void> {
  const { config, db, now, log } = services
  if (!isAnnouncing(config)) return
  const before = (ms: number) => new Date(now().getTime() - ms)
  const isRecent = gt(broadcast.startedAt, before(MAX_AGE_MS))
  const isStarted = or(isNull(broadcast.endedAt), gt(broadcast.endedAt, before(LATE_START_MS)))
  const steps = [
    { announce: announceStart, due: and(isRecent, isNull(broadcast.startAnnouncedAt), isStarted) },
    {
      announce: announceEnd,
      due: and(
        isRecent,
        isNotNull(broadcast.startAnnouncedAt),
        isNull(broadcast.endAnnouncedAt),
        isNotNull(broadcast.endedAt),
      ),
    },
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
