import { randomBytes, randomInt } from 'node:crypto'
import { isIPv4 } from 'node:net'
import { eq, lt, type SQL, sql } from 'drizzle-orm'
import type { Database } from '#db/client.server.ts'
import { attempt, spentCaptcha } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { AppError, errors } from '#server/core/errors.ts'
import { widestNetworkOf } from '#server/core/limits/networks.ts'
import { openBytes, sealBytes } from '#server/core/security/seal.ts'
import type { CaptchaChallenge } from '#src/contract/captcha.ts'
import { refusal } from '#src/contract/refusal.ts'

/** Long enough to write a post, but no longer: used challenges are stored until they expire. */
const LIFETIME_MS = 30 * 60 * 1000

type Sealed = { answer: number; expires: number; nonce: string }

const OPERATIONS = [
  { sign: '+', of: (a: number, b: number) => a + b },
  { sign: '−', of: (a: number, b: number) => a - b },
  { sign: '×', of: (a: number, b: number) => a * b },
] as const

type CaptchaContext = Pick<Context, 'db' | 'secrets' | 'now' | 'address'>

/** Creates a challenge that only the visitor's network can use. Its encrypted id has the answer and expiry. */
export function createChallenge({ secrets, now, address }: Omit<CaptchaContext, 'db'>): CaptchaChallenge {
  const [low, high] = [randomInt(1, 10), randomInt(1, 10)].sort((a, b) => a - b) as [number, number]
  const operation = OPERATIONS[randomInt(OPERATIONS.length)] as (typeof OPERATIONS)[number]
  // The larger number comes first, so the answer is never negative.
  const answer = operation.of(high, low)
  const content: Sealed = {
    answer,
    expires: now().getTime() + LIFETIME_MS,
    nonce: randomBytes(12).toString('base64url'),
  }
  return {
    challengeId: sealBytes(secrets.captcha, captchaNetwork(address), Buffer.from(JSON.stringify(content))).toString(
      'base64url',
    ),
    question: `What is ${high} ${operation.sign} ${low}?`,
  }
}

export type AnsweredCaptcha = { challengeId: string; captchaAnswer: string }

/** Makes a challenge usable again if the server is the cause of an error. */
export async function restoreChallenge(ctx: CaptchaContext, challengeId: string, error: unknown): Promise<void> {
  const sealed = openChallenge(ctx, challengeId)
  const isServerError = !(error instanceof AppError) || error.code === 'SERVICE_UNAVAILABLE'
  if (sealed && isServerError) await ctx.db.delete(spentCaptcha).where(eq(spentCaptcha.nonce, sealed.nonce))
}

/**
 * Checks an answer. If the answer is wrong, marks the challenge as used.
 * @returns a statement that marks the challenge as used; it returns a row only the first time
 * @throws AppError 400 if the answer is wrong, or the challenge expired or was changed
 */
export async function verifyChallenge(
  ctx: CaptchaContext,
  { challengeId, captchaAnswer }: AnsweredCaptcha,
): Promise<SQL> {
  const sealed = openChallenge(ctx, challengeId)
  if (!sealed || sealed.expires <= ctx.now().getTime()) throw createCaptchaError()
  const spending = sql`insert into ${spentCaptcha} (nonce, expires_at)
    values (${sealed.nonce}, ${new Date(sealed.expires).toISOString()}) on conflict do nothing returning nonce`
  if (/^-?\d{1,4}$/.test(captchaAnswer) && Number(captchaAnswer) === sealed.answer) return spending
  await ctx.db.execute(spending)
  throw createCaptchaError()
}

export const createCaptchaError = (): AppError => errors.badRequest(refusal('board.captchaRefused'))

export const isCaptchaError = (error: unknown): boolean =>
  error instanceof AppError && error.refusal === refusal('board.captchaRefused')

/** Deletes expired challenges and attempts. */
export async function deleteExpiredChallenges(db: Database, now: Date): Promise<void> {
  await db.delete(spentCaptcha).where(lt(spentCaptcha.expiresAt, now))
  await db.delete(attempt).where(lt(attempt.expiresAt, now))
}

/** Returns a wider network than rate limits use, because a phone's IP address can change before the user answers. */
function captchaNetwork(address: string): Buffer {
  const widest = widestNetworkOf(address)
  return Buffer.from(isIPv4(widest) ? widest.replace(/\.\d+$/, '') : widest)
}

/** Returns null if the challenge was changed or made for another network. */
export function openChallenge(
  { secrets, address }: Pick<CaptchaContext, 'secrets' | 'address'>,
  challengeId: string,
): Sealed | null {
  const content = openBytes(secrets.captcha, captchaNetwork(address), Buffer.from(challengeId, 'base64url'))
  return content && JSON.parse(content.toString())
}
