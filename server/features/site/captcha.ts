import { createChallenge } from '#server/core/auth/captcha.ts'
import type { Context } from '#server/core/context.ts'
import { activeSwitches } from '#server/features/moderation/admission/activeSwitches.ts'
import { createProofOfWork } from '#server/features/moderation/raids/proofOfWork.ts'
import { requiredAttempts } from '#server/features/moderation/raids/raidAdmission.ts'
import type { CaptchaChallenge } from '#src/contract/captcha.ts'

/** Creates a captcha, with a proof of work if posts need one. Admins need none. */
export async function createCaptcha(ctx: Context): Promise<CaptchaChallenge> {
  const challenge = createChallenge(ctx.secrets.captcha, ctx.now(), ctx.address)
  const raid = (await activeSwitches(ctx)).get('proof-of-work')
  if (!raid || (await ctx.currentUser())?.role === 'admin') return challenge
  const attempts = await requiredAttempts(ctx, raid)
  const proofOfWork = await createProofOfWork(ctx.secrets.proofOfWork, challenge.challengeId, attempts)
  return { ...challenge, proofOfWork }
}
