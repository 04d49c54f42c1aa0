import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import type { SwitchRow } from '#server/features/moderation/admission/activeSwitches.ts'
import { type PostText, textOf } from '#server/features/moderation/admission/filterCheck.ts'
import { currentOrigin } from '#server/features/moderation/origins/origins.ts'
import { heldForTexts, MANY_REVIEWS } from '#src/contract/switches.ts'
import { verifyProofOfWork } from './proofOfWork.ts'
import { furtherPosts, type Level, MAX_STRANGERS, postsOfRange, strangers, unlikelyPosts } from './raidLevels.ts'
import { DETECTION_MS, isRegular } from './regulars.ts'

/** Whether an admitted item is published at once. */
export type Admission = {
  /** why a post waits for a review, for moderators; null if it is published at once */
  heldFor: string | null
  /** when a held post is published without a review; null if it waits for a moderator */
  releaseAt: Date | null
}

/** About 1.5 s of a desktop browser, 6 s of a phone. Each recent post by a stranger doubles it. */
const BASE_ATTEMPTS = 6000
/** Accepts a proof that was hard enough when it was requested, while others were accepted. */
const TOLERANCE = 4
/** Publishes within a minute, including the interval of the job. */
const HOLD_MS = 45_000

const PUBLISHED: Admission = { heldFor: null, releaseAt: null }
/** Visitors whose post was refused are asked to wait for this time. */
const RETRY_SECONDS = 60

type RaidPost = PostText & {
  challengeId: string
  proofOfWork?: string | undefined
  /** whether it resembles several posts before it */
  isRepeated: boolean
}

/**
 * Decides about a post while posts need a proof of work. Without a proof, it is published after a minute. Strangers
 * share a small quota; beyond it, their posts wait for a review. So do posts that resemble others, and those of words
 * that nobody wrote before the raid.
 * @throws AppError 429 if too many posts wait for a review
 */
export async function admitDuringRaid(ctx: Context, { since }: SwitchRow, form: RaidPost): Promise<Admission> {
  const { secrets, moderation } = ctx
  if (form.isRepeated) return holdForReview(ctx, heldForTexts.repeated, unlikelyPosts)
  if (!(await moderation.knownWords.cover(textOf(form), new Date(since.getTime() - DETECTION_MS))))
    return holdForReview(ctx, heldForTexts.words, unlikelyPosts)
  const attempts = form.proofOfWork
    ? await verifyProofOfWork(secrets.proofOfWork, form.challengeId, form.proofOfWork)
    : 0
  const forMinute = { heldFor: heldForTexts.unsolved, releaseAt: new Date(ctx.now().getTime() + HOLD_MS) }
  const from = await currentOrigin(ctx)
  if (from && (await isRegular(ctx, from, since))) {
    if (await moderation.raidLevels.take(postsOfRange(from.range))) return attempts > 0 ? PUBLISHED : forMinute
  }
  const isSolved = attempts * TOLERANCE >= attemptsAt(await moderation.raidLevels.read(strangers))
  const max = isSolved ? MAX_STRANGERS : MAX_STRANGERS - 1
  if (!(await moderation.raidLevels.take({ ...strangers, max })))
    return holdForReview(ctx, heldForTexts.raid, furtherPosts)
  return isSolved ? PUBLISHED : forMinute
}

async function holdForReview(ctx: Context, heldFor: string, level: Level): Promise<Admission> {
  if (await ctx.moderation.raidLevels.take(level)) return { heldFor, releaseAt: null }
  throw errors.tooMany(MANY_REVIEWS, { retryAfter: RETRY_SECONDS })
}

/** Returns how many attempts the visitor's next proof of work needs at most. */
export async function requiredAttempts(ctx: Context, { since }: SwitchRow): Promise<number> {
  if (await isRegular(ctx, await currentOrigin(ctx), since)) return BASE_ATTEMPTS
  return attemptsAt(await ctx.moderation.raidLevels.read(strangers))
}

const attemptsAt = (posts: number) => BASE_ATTEMPTS * 2 ** Math.ceil(Math.min(MAX_STRANGERS, posts))
