import { setTimeout as sleep } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { origin, post, withheldPost } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { siteActor } from '#server/core/moderation/log.ts'
import { addPosts, unsolvedByStrangers } from '#server/core/moderation/raidLevels.ts'
import { requireProofs } from '#server/core/moderation/startRaid.ts'
import { removePosts } from '#server/features/board/removal.ts'
import { heldForTexts, raidReason } from '#src/contract/switches.ts'

/** The detection needs up to this time. */
const RECENT_MS = 60_000
/** More posts than the detection lets through. */
const MAX_RECENT = 500
/** Until then, every process requires proofs. */
const SETTLE_MS = 1000

type RaidServices = Pick<Services, 'db' | 'files' | 'now'>

/** Requires proofs of work, and holds the posts that strangers wrote before the raid was detected. */
export async function startRaid(services: RaidServices, at: Date): Promise<void> {
  // While there are too many posts, none of a stranger without a proof is published.
  await addPosts(services.db, at, unsolvedByStrangers, unsolvedByStrangers.max)
  if (!(await requireProofs(services.db, at))) return
  await sleep(SETTLE_MS, undefined, { ref: false })
  await holdRecentPosts(services, new Date(at.getTime() - RECENT_MS))
}

/** Holds posts since `since` from networks that had not posted before. */
export async function holdRecentPosts(services: RaidServices, since: Date): Promise<void> {
  const { db } = services
  const at = sql`${since.toISOString()}::timestamptz`
  const isOrigin = (row: string) => sql.raw(`${row}.kind = 'post'`)
  await db.transaction(async (tx) => {
    const rows = await tx.execute<{ id: string }>(sql`
      select p.id from (select id, created_at from ${post} order by id desc limit ${MAX_RECENT}) p
      join ${origin} o on ${isOrigin('o')} and o.item_id = p.id::text
      where p.created_at > ${at} and not exists (
        select from ${origin} e join ${post} earlier on earlier.id = e.item_id::bigint
        where ${isOrigin('e')} and e.range = o.range and earlier.created_at <= ${at})`)
    const ids = rows.map(({ id }) => Number(id))
    if (ids.length === 0) return
    const record = { action: 'switch-on', actor: siteActor, boardId: null, itemId: 'proof-of-work' } as const
    const { logId } = await removePosts(services, tx, ids, { ...record, reason: raidReason })
    if (logId === null) return
    // Held posts wait in the queue. Removed posts would be deleted after a week.
    await tx.update(withheldPost).set({ heldFor: heldForTexts.raid, logId: null }).where(eq(withheldPost.logId, logId))
  })
}
