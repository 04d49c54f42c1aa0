import { type Param, type SQL, sql } from 'drizzle-orm'
import { livePost, origin, post } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { type TokenBucket, takeTokens } from '#server/core/limits/tokenBuckets.ts'
import { isDeletedByAuthor } from '#server/features/board/states/affectedPosts.ts'
import type { SwitchRow } from '#server/features/moderation/admission/switches.ts'
import { currentOrigin, type VisitorOrigin } from '#server/features/moderation/origins/origins.ts'
import type { HoldCode } from '#src/contract/queue.ts'
import { refusal } from '#src/contract/refusal.ts'
import { verifyProofOfWork } from './proofOfWork.ts'

/** Whether an admitted item is published at once. */
export type Admission = {
  /** why a post waits for a review, for moderators; null if it is published at once */
  heldFor: HoldCode | null
  /** when a held post is published without a review; null if it waits for a moderator */
  releaseAt: Date | null
}

export const PUBLISHED: Admission = { heldFor: null, releaseAt: null }
/** Publishes within a minute, including the interval of the job. */
const HOLD_MS = 45_000
const MINUTE_MS = 60_000

/** Posts of a raid that wait for a review: bounds the work of moderators and the bytes that a raid stores. */
export const raidReviews: TokenBucket = {
  key: 'raid reviews',
  costMs: MINUTE_MS / 20,
  capacityMs: 200 * (MINUTE_MS / 20),
}

/** A network that posts faster counts as unknown: others may have taken it over. */
export const MAX_OF_RANGE = 2

/** Posts of a network that posted before the raid: one in two minutes. */
export const postsOfRange = (range: Uint8Array): TokenBucket => ({
  key: `raid range ${Buffer.from(range).toString('base64url')}`,
  costMs: 2 * MINUTE_MS,
  capacityMs: MAX_OF_RANGE * 2 * MINUTE_MS,
})

type RaidPost = {
  challengeId: string
  proofOfWork?: string | undefined
  /** whether it resembles several posts before it */
  isRepeated: boolean
}

/**
 * Decides about a post while posts need a proof of work. Posts of regulars are published, without a proof after a
 * minute. Posts of strangers, and those that resemble others, wait for a review.
 * @throws AppError 429 if too many posts wait for a review
 */
export async function admitDuringRaid(ctx: Context, { since }: SwitchRow, form: RaidPost): Promise<Admission> {
  const take = async (bucket: TokenBucket) => (await takeTokens(ctx.db, ctx.now(), [bucket])) === null
  const from = await currentOrigin(ctx)
  const isAllowed =
    !form.isRepeated && from && (await isRegular(ctx, from, since)) && (await take(postsOfRange(from.range)))
  if (isAllowed) {
    const { proofOfWork, challengeId } = form
    const isSolved = proofOfWork && (await verifyProofOfWork(ctx.secrets.proofOfWork, challengeId, proofOfWork))
    return isSolved ? PUBLISHED : { heldFor: 'unsolved', releaseAt: new Date(ctx.now().getTime() + HOLD_MS) }
  }
  // Visitors whose post is refused are asked to wait for a minute.
  if (!(await take(raidReviews))) throw errors.tooMany(refusal('limit.reviews'), { retryAfter: 60 })
  return { heldFor: form.isRepeated ? 'repeated' : 'raid', releaseAt: null }
}

/** The detection of a raid needs up to this time. Attackers who posted in this time are strangers. */
export const DETECTION_MS = 60_000

/**
 * Returns whether the visitor's host or range posted before the raid that was detected at `since`, and moderators
 * removed none of its posts. Everyone is a stranger when an epoch of origins begins, and always if the site stores no
 * origins.
 */
async function isRegular({ db }: Context, from: VisitorOrigin, since: Date): Promise<boolean> {
  const before = new Date(since.getTime() - DETECTION_MS)
  const [row] = await db.execute<{ regular: boolean }>(
    sql`select ${hasCleanPosts('host', sql.param(from.host, origin.host), before)}
      or ${hasCleanPosts('range', sql.param(from.range, origin.range), before)} as regular`,
  )
  return row?.regular ?? false
}

export function hasCleanPosts(width: 'host' | 'range', value: SQL | Param, before: Date): SQL {
  const itsPosts = sql`${origin.kind} = 'post' and ${origin[width]} = ${value}`
  return sql`(exists (select from ${origin} join ${livePost} on ${livePost.id} = ${origin.itemId}::bigint
      where ${itsPosts} and ${livePost.createdAt} < ${before.toISOString()}::timestamptz)
    and not exists (select from ${origin} join ${post} on ${post.id} = ${origin.itemId}::bigint
      where ${itsPosts} and ${post.state} = 'removed' and not ${isDeletedByAuthor}))`
}
