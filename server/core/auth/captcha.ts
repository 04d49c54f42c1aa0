import { createCipheriv, createDecipheriv, randomBytes, randomInt } from 'node:crypto'
import { isIPv4 } from 'node:net'
import { eq, lt, type SQL, sql } from 'drizzle-orm'
import type { Database } from '#db/client.server.ts'
import { spentCaptcha } from '#db/schema/index.ts'
import { AppError, errors } from '#server/core/errors.ts'
import { networksOf } from '#server/core/limits/networks.ts'
import { type CaptchaChallenge, captchaMessages } from '#src/contract/captcha.ts'

const LIFETIME_MS = 30 * 60 * 1000
const IV_BYTES = 12
const TAG_BYTES = 16

type Sealed = { answer: number; expires: number; nonce: string }

const OPERATIONS = [
  { sign: '+', of: (a: number, b: number) => a + b },
  { sign: '−', of: (a: number, b: number) => a - b },
  { sign: '×', of: (a: number, b: number) => a * b },
] as const

/**
 * A new challenge; asking for one writes nothing, for all of it travels sealed in its id. It can be answered from the
 * network alone that asked, so that what one machine collects is of no use to others.
 * @param address of the visitor who asks
 */
export function createChallenge(key: Uint8Array, now: Date, address: string): CaptchaChallenge {
  const [low, high] = [randomInt(1, 10), randomInt(1, 10)].sort((a, b) => a - b) as [number, number]
  const operation = OPERATIONS[randomInt(OPERATIONS.length)] as (typeof OPERATIONS)[number]
  // The larger one first: no answer is negative.
  const answer = operation.of(high, low)
  const nonce = randomBytes(12).toString('base64url')
  return {
    challengeId: seal({ answer, expires: now.getTime() + LIFETIME_MS, nonce }, key, captchaNetwork(address)),
    question: `What is ${high} ${operation.sign} ${low}?`,
  }
}

type Asking = { db: Database; key: Uint8Array; now: Date; address: string }
type Answered = { challengeId: string; captchaAnswer: string }

/**
 * Spends a challenge, right or wrong: its number is written down before anything is said, so that of any
 * number of simultaneous tries one at most goes through.
 * @throws AppError 400 when wrong, expired, tampered with or used before
 */
export async function spendChallenge(asking: Asking, answered: Answered): Promise<void> {
  const first = await asking.db.execute(await verifyChallenge(asking, answered))
  if (first.length === 0) throw createCaptchaError()
}

/** Makes a spent challenge usable again, once; for the one who spent it. */
export async function restoreChallenge(
  { db, key, address }: Pick<Asking, 'db' | 'key' | 'address'>,
  { challengeId }: Pick<Answered, 'challengeId'>,
): Promise<void> {
  const sealed = open(challengeId, key, captchaNetwork(address))
  if (sealed) await db.delete(spentCaptcha).where(eq(spentCaptcha.nonce, sealed.nonce))
}

/**
 * Spends a challenge that is wrong.
 * @returns for one that is right the statement that spends it, which gives a row once: for a greater one to begin with
 * @throws AppError 400 when wrong, expired or tampered with
 */
export async function verifyChallenge(asking: Asking, { challengeId, captchaAnswer }: Answered): Promise<SQL> {
  const { db, key, now, address } = asking
  const sealed = open(challengeId, key, captchaNetwork(address))
  if (!sealed || sealed.expires <= now.getTime()) throw createCaptchaError()
  const spending = sql`insert into ${spentCaptcha} (nonce, expires_at)
    values (${sealed.nonce}, ${new Date(sealed.expires).toISOString()}) on conflict do nothing returning nonce`
  if (/^-?\d{1,4}$/.test(captchaAnswer) && Number(captchaAnswer) === sealed.answer) return spending
  await db.execute(spending)
  throw createCaptchaError()
}

export const createCaptchaError = (): AppError => errors.badRequest(captchaMessages.refused)

/** Whether something was refused for its captcha alone. */
export const isCaptchaError = (error: unknown): boolean =>
  error instanceof AppError && error.message === captchaMessages.refused

/** Forgets spent challenges that have expired anyway. */
export async function deleteExpiredChallenges(db: Database, now: Date): Promise<void> {
  await db.delete(spentCaptcha).where(lt(spentCaptcha.expiresAt, now))
}

/**
 * The network a challenge belongs to: wider than the one limits count by, since a phone or a dormitory may get another
 * address between asking and answering. An IPv4 /24, an IPv6 /48.
 */
function captchaNetwork(address: string): string {
  const widest = networksOf(address).at(-1)?.key ?? ''
  return isIPv4(widest) ? widest.replace(/\.\d+$/, '') : widest
}

/** The network is authenticated with the content: from another one the seal is broken. */
function seal(content: Sealed, key: Uint8Array, network: string): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(network))
  const body = Buffer.concat([cipher.update(JSON.stringify(content), 'utf8'), cipher.final()])
  return Buffer.concat([iv, body, cipher.getAuthTag()]).toString('base64url')
}

function open(challengeId: string, key: Uint8Array, network: string): Sealed | null {
  const bytes = Buffer.from(challengeId, 'base64url')
  if (bytes.length <= IV_BYTES + TAG_BYTES) return null
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(network)).setAuthTag(bytes.subarray(-TAG_BYTES))
    const body = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()])
    return JSON.parse(body.toString('utf8')) as Sealed
  } catch {
    return null
  }
}
