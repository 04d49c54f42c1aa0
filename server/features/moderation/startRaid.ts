import { setTimeout as sleep } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import type { Database } from '#db/client.server.ts'
import { origin, post, withheldPost } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { siteActor } from '#server/core/moderation/log.ts'
import { addPosts, MAX_OF_RANGE, postsOfRange } from '#server/core/moderation/raidLevels.ts'
import { DETECTION_MS } from '#server/core/moderation/regulars.ts'
import { requireProofs } from '#server/core/moderation/startRaid.ts'
import { retryLater } from '#server/core/storage/retryLater.ts'
import { removePosts } from '#server/features/board/removal.ts'
import { heldForTexts, raidReason } from '#src/contract/switches.ts'

/** More posts than the detection lets through. */
const MAX_RECENT = 500
/** Until then, every process requires proofs. */
const SETTLE_MS = 1000
/** For half an hour if the bucket fails. Not more often, because each attempt locks threads. */
const RETRIES = { intervalMs: 30_000, attempts: 60 }

type RaidServices = Pick<Services, 'db' | 'files' | 'log' | 'now'>

/** Requires proofs of work, and holds the posts that strangers wrote before the raid was detected. */
export async function startRaid(services: RaidServices, at: Date): Promise<void> {
  if (!(await requireProofs(services.db, at))) return
  await sleep(SETTLE_MS, undefined, { ref: false })
  await holdRecentPosts(services, new Date(at.getTime() - DETECTION_MS))
}

/** Holds posts since `since`, except the first few of each network that had posted before. */
export async function holdRecentPosts(services: RaidServices, since: Date, retries = RETRIES): Promise<void> {
  const { db, log } = services
  const recent = await listRecentPosts(db, since)
  const kept = recent.filter(({ isRegular, place }) => isRegular && place <= MAX_OF_RANGE)
  for (const { range } of kept) await addPosts(db, services.now(), postsOfRange(Buffer.from(range, 'hex')))
  const ids = recent.filter((row) => !kept.includes(row)).map(({ id }) => Number(id))
  if (ids.length > 0) await retryLater(log, () => holdPosts(services, ids), retries)
}

async function holdPosts(services: RaidServices, ids: number[]): Promise<void> {
  await services.db.transaction(async (tx) => {
    const record = { action: 'switch-on', actor: siteActor, boardId: null, itemId: 'proof-of-work' } as const
    const { logId } = await removePosts(services, tx, ids, { ...record, reason: raidReason })
    if (logId === null) return
    // Held posts wait in the queue. Removed posts would be deleted after a week.
    await tx
      .update(withheldPost)
      .set({ heldFor: heldForTexts.raid, wasHeldFor: null, logId: null })
      .where(eq(withheldPost.logId, logId))
  })
}

type RecentPost = { id: string; range: string; isRegular: boolean; place: number }

/** Returns posts since `since`, each with its place among those of its range. Without an origin, the range is empty. */
async function listRecentPosts(db: Database, since: Date): Promise<RecentPost[]> {
  const at = sql`${since.toISOString()}::timestamptz`
  const isOrigin = (row: string) => sql.raw(`${row}.kind = 'post'`)
  return db.execute<RecentPost>(sql`
    select p.id, encode(coalesce(o.range, ''), 'hex') as range, exists (
        select from ${origin} e join ${post} earlier on earlier.id = e.item_id::bigint
        where ${isOrigin('e')} and e.range = o.range and earlier.created_at <= ${at}) as "isRegular",
      row_number() over (partition by o.range order by p.id)::int as place
    from (select id, created_at from ${post} order by id desc limit ${MAX_RECENT}) p
    left join ${origin} o on ${isOrigin('o')} and o.item_id = p.id::text
    where p.created_at > ${at}`)
}
