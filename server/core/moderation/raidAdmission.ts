import type { Context } from '#server/core/context.ts'
import { heldForTexts } from '#src/contract/switches.ts'
import type { Admission } from './admissionTypes.ts'
import type { SwitchRow } from './liveSwitches.ts'
import { currentOrigin } from './origins.ts'
import { verifyProofOfWork } from './proofOfWork.ts'
import { addPosts, postsOfRange, readPosts, solvedByStrangers, unsolvedByStrangers } from './raidLevels.ts'
import { isRegular } from './regulars.ts'

/** About 1.5 s of a desktop browser, 6 s of a phone. */
const BASE_ATTEMPTS = 6000
/** With five recent proofs by strangers, the next takes a browser 45 s on average. Beyond that, none is accepted. */
const MAX_STRANGERS_SOLVED = 5
/** Accepts a proof that was hard enough when it was requested, while others were solved meanwhile. */
const TOLERANCE = 4
const MAX_STRANGERS_UNSOLVED = 3
/** A network that posts faster is treated as a stranger: others may have taken it over. */
const MAX_OF_RANGE = 2
/** Publishes within a minute, including the interval of the job. */
const HOLD_MS = 45_000

const PUBLISHED: Admission = { heldFor: null, releaseAt: null }
const FOR_REVIEW: Admission = { heldFor: heldForTexts.raid, releaseAt: null }

type Answered = { challengeId: string; proofOfWork?: string | undefined }

/**
 * Decides about a post while posts need a proof of work. Regulars wait a minute if they have no proof. Strangers share
 * small quotas; beyond them, their posts wait for a review.
 */
export async function admitDuringRaid(ctx: Context, { since }: SwitchRow, form: Answered): Promise<Admission> {
  const { db, secrets } = ctx
  const now = ctx.now()
  const attempts = form.proofOfWork
    ? await verifyProofOfWork(secrets.proofOfWork, form.challengeId, form.proofOfWork)
    : 0
  const forMinute = { heldFor: heldForTexts.unsolved, releaseAt: new Date(now.getTime() + HOLD_MS) }
  const from = await currentOrigin(ctx)
  if (from && (await isRegular(ctx, from, since))) {
    const posts = await addPosts(db, now, postsOfRange(from.range))
    if (posts <= MAX_OF_RANGE) return attempts > 0 ? PUBLISHED : forMinute
  }
  if (attempts === 0) {
    const posts = await addPosts(db, now, unsolvedByStrangers)
    return posts <= MAX_STRANGERS_UNSOLVED ? forMinute : FOR_REVIEW
  }
  const posts = await addPosts(db, now, solvedByStrangers)
  const isHardEnough = attempts * TOLERANCE >= attemptsAt(posts - 1)
  return posts <= MAX_STRANGERS_SOLVED && isHardEnough ? PUBLISHED : FOR_REVIEW
}

/** Returns how many attempts the visitor's next proof of work needs at most. */
export async function requiredAttempts(ctx: Context, { since }: SwitchRow): Promise<number> {
  if (await isRegular(ctx, await currentOrigin(ctx), since)) return BASE_ATTEMPTS
  return attemptsAt(Math.min(MAX_STRANGERS_SOLVED, await readPosts(ctx.db, ctx.now(), solvedByStrangers)))
}

const attemptsAt = (posts: number) => BASE_ATTEMPTS * 2 ** Math.ceil(Math.max(0, posts))
