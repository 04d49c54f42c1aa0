import { setTimeout as sleep } from 'node:timers/promises'
import { count, eq, sql } from 'drizzle-orm'
import type { Database } from '#db/client.server.ts'
import { livePost, origin, post, siteSwitch, thread } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { raiseLevel } from '#server/core/limits/tokenBuckets.ts'
import { retryLater } from '#server/core/storage/retryLater.ts'
import { isAnyOf } from '#server/features/board/quotes.ts'
import { changeState, type StateReason } from '#server/features/board/states/changeState.ts'
import { isByVisitor } from '#server/features/board/write/author.ts'
import { announceSwitches } from '#server/features/moderation/admission/switches.ts'
import { alertModerators } from '#server/features/moderation/alerts/moderatorAlerts.ts'
import { siteActor } from '#server/features/moderation/log/log.ts'
import type { SiteReason } from '#src/contract/log.ts'
import { DETECTION_MS, hasCleanPosts, MAX_OF_RANGE, postsOfRange } from './raidAdmission.ts'

/** Until then, every process requires proofs. */
const SETTLE_MS = 1000
/** For half an hour if the bucket fails. Not more often, because each attempt locks threads. */
const RETRIES = { intervalMs: 30_000, attempts: 60 }

type RaidServices = Pick<Services, 'db' | 'files' | 'log' | 'now' | 'config'>

/** Requires proofs of work, and holds the posts that strangers wrote before the raid was detected. */
export async function startRaid(services: RaidServices, at: Date): Promise<void> {
  if (!(await requireProofs(services.db, at))) return
  await sleep(SETTLE_MS, undefined, { ref: false })
  await holdRecentPosts(services, new Date(at.getTime() - DETECTION_MS))
}

/**
 * Holds the posts of a raid since `since`, except the first few of each network that had posted before, and threads in
 * which others wrote.
 */
export async function holdRecentPosts(services: RaidServices, since: Date, retries = RETRIES): Promise<void> {
  const { db, log, config } = services
  const recent = sinceStart(await listRecentPosts(db, since), config.raidPostsPerMinute)
  const kept = recent.filter(({ isRegular, place, isShared }) => isShared || (isRegular && place <= MAX_OF_RANGE))
  for (const { range } of kept.filter(({ isRegular }) => isRegular))
    await raiseLevel(db, services.now(), postsOfRange(Buffer.from(range, 'hex')))
  const ids = recent.filter((row) => !kept.includes(row)).map(({ id }) => Number(id))
  if (ids.length > 0) await retryLater(log, () => holdPosts(services, ids), retries)
}

async function holdPosts(services: RaidServices, ids: number[]): Promise<void> {
  await services.db.transaction(async (tx) => {
    const action = { action: 'switch-on', actor: siteActor, boardId: null, itemId: 'proof-of-work' } as const
    const record = { ...action, reason: 'raid' satisfies SiteReason }
    const reason: StateReason = { record, heldFor: 'raid', withAnswers: true, from: ['live'] }
    const held = await changeState(services, tx, ids, 'held', reason)
    const boards = await tx
      .select({ boardId: thread.boardId, count: count() })
      .from(post)
      .innerJoin(thread, eq(thread.id, post.threadId))
      .where(isAnyOf(post.id, held.ids))
      .groupBy(thread.boardId)
    for (const board of boards) await alertModerators(tx, services.now(), { kind: 'held', ...board })
  })
}

type RecentPost = { id: string; range: string; at: number; isRegular: boolean; isShared: boolean; place: number }

/**
 * Drops the posts before the raid: those before the last time at which the detector's count, which each post raises and
 * which falls with time, was at zero.
 */
function sinceStart(posts: RecentPost[], perMinute: number): RecentPost[] {
  let level = 0
  let start = 0
  for (const [index, { at }] of posts.entries()) {
    level = Math.max(0, level - ((at - (posts[index - 1]?.at ?? at)) * perMinute) / 60_000)
    if (level === 0) start = index
    level++
  }
  return posts.slice(start)
}

/**
 * Returns the posts of visitors since `since`, the oldest first, each with its place among those of its range. Without
 * an origin, the range is empty. `isShared`: others wrote in the thread that the post opens.
 */
async function listRecentPosts(db: Database, since: Date): Promise<RecentPost[]> {
  const at = sql`${since.toISOString()}::timestamptz`
  const isOrigin = (row: string) => sql.raw(`${row}.kind = 'post'`)
  return db.execute<RecentPost>(sql`
    select p.id, encode(coalesce(o.range, ''), 'hex') as range, (extract(epoch from p.created_at) * 1000)::float8 as at,
      exists (select from ${livePost} answer left join ${origin} a on ${isOrigin('a')} and a.item_id = answer.id::text
        where answer.thread_id = p.id and answer.id <> p.id and a.range is distinct from o.range) as "isShared",
      ${hasCleanPosts('range', sql`o.range`, since)} as "isRegular",
      row_number() over (partition by o.range order by p.id)::int as place
    from ${livePost} p
    left join ${origin} o on ${isOrigin('o')} and o.item_id = p.id::text
    where p.created_at > ${at} and ${isByVisitor('p')} order by p.id`)
}

const RAID_MS = 30 * 60_000
/** Limits the writes while a raid continues. */
const EXTEND_EVERY_MS = 60_000

/** Switches proofs of work on, or extends them. @returns whether a raid has started */
function requireProofs(db: Database, now: Date): Promise<boolean> {
  const at = sql`${now.toISOString()}::timestamptz`
  const until = new Date(now.getTime() + RAID_MS)
  return db.transaction(async (tx) => {
    const [row] = await tx
      .insert(siteSwitch)
      .values({ name: 'proof-of-work', since: now, until })
      .onConflictDoUpdate({
        target: siteSwitch.name,
        set: { since: sql`case when ${siteSwitch.until} <= ${at} then ${at} else ${siteSwitch.since} end`, until },
        // Does not match if an admin switched it on (`until` is null) or off (`until` is `since`) by hand.
        setWhere: sql`${siteSwitch.until} < ${new Date(until.getTime() - EXTEND_EVERY_MS).toISOString()}::timestamptz
          and (${siteSwitch.until} > ${siteSwitch.since}
            or ${siteSwitch.until} < ${new Date(now.getTime() - RAID_MS).toISOString()}::timestamptz)`,
      })
      .returning()
    if (!row) return false
    const hasStarted = row.since.getTime() === now.getTime()
    if (hasStarted) await alertModerators(tx, now, { kind: 'raid', boardId: null, count: 1 })
    await announceSwitches(tx, now, hasStarted ? [{ name: 'proof-of-work', on: true, actor: siteActor }] : [])
    return hasStarted
  })
}
