import { createChallenge } from '#server/core/auth/captcha.ts'
import type { Context } from '#server/core/context.ts'
import { activeSwitches } from '#server/features/moderation/admission/activeSwitches.ts'
import { createProofOfWork } from '#server/features/moderation/raids/proofOfWork.ts'
import type { CaptchaChallenge } from '#src/contract/captcha.ts'

/** Creates a captcha, with a proof of work if posts need one. Admins need none. */
export async function createCaptcha(ctx: Context): Promise<CaptchaChallenge> {
  const challenge = createChallenge(ctx.secrets.captcha, ctx.now(), ctx.address)
  const isRaid = (await activeSwitches(ctx)).has('proof-of-work')
  if (!isRaid || (await ctx.currentUser())?.role === 'admin') return challenge
  const proofOfWork = await createProofOfWork(ctx.secrets.proofOfWork, challenge.challengeId)
  return { ...challenge, proofOfWork }
}
