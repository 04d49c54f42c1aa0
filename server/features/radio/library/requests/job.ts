import { and, desc, isNotNull, lt, notInArray } from 'drizzle-orm'
import { songRequest } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'

/** Longer than the cooldown of a track, and the list of past songs. */
const KEEP_MS = 24 * 60 * 60 * 1000

/** Deletes old requests. Keeps the last one that was planned: after it, the station continues in its ring of tracks. */
export async function deleteOldRequests({ db, now, config }: Pick<Services, 'db' | 'now' | 'config'>): Promise<void> {
  const keepMs = Math.max(KEEP_MS, config.radio.songRequests?.cooldownMs ?? 0)
  const latest = db
    .select({ id: songRequest.id })
    .from(songRequest)
    .where(isNotNull(songRequest.playsAt))
    .orderBy(desc(songRequest.playsAt))
    .limit(1)
  const isOld = lt(songRequest.requestedAt, new Date(now().getTime() - keepMs))
  await db.delete(songRequest).where(and(isOld, isNotNull(songRequest.outcome), notInArray(songRequest.id, latest)))
}
