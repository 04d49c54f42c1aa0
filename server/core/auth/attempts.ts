import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Database, Transaction } from '#db/client.server.ts'
import { attempt } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { type AnsweredCaptcha, createCaptchaError, openChallenge, verifyChallenge } from './captcha.ts'

/** One attempt to send a form. The same form with the same captcha is the same attempt, however often it is sent. */
export type Attempt = { key: Uint8Array; expiresAt: Date }

/** Storing four large images takes seconds. Sending the form again waits that long for the answer. */
const MAX_WAIT_MS = 10_000
const POLL_MS = 200

/**
 * @param readForm what the visitor sent, except the captcha; `JSON.stringify` must tell two forms apart
 * @returns null if the challenge is expired, or not from this site and network
 */
export function identifyAttempt(
  ctx: Pick<Context, 'secrets' | 'address' | 'now'>,
  challengeId: string,
  readForm: () => unknown,
): Attempt | null {
  const sealed = openChallenge(ctx, challengeId)
  if (!sealed || sealed.expires <= ctx.now().getTime()) return null
  const key = createHash('sha256').update(sealed.nonce).update(JSON.stringify(readForm())).digest()
  return { key: new Uint8Array(key), expiresAt: new Date(sealed.expires) }
}

const columns = ({ key, expiresAt }: Attempt) =>
  sql`${sql.param(key, attempt.key)}, ${expiresAt.toISOString()}::timestamptz`

/**
 * Marks a captcha as used, and its attempt as begun. If several requests use the same captcha at the same time, only one
 * succeeds.
 * @throws AppError 400 if the answer is wrong, or the captcha expired, was changed or was used before
 */
export async function spendChallenge(ctx: Context, answered: AnsweredCaptcha, begun: Attempt | null) {
  const spending = await verifyChallenge(ctx, answered)
  const beginning =
    begun &&
    sql`insert into ${attempt} (key, expires_at) select ${columns(begun)} from spent
    on conflict do nothing`
  const spent = await ctx.db.execute(sql`with spent as (${spending}), begun as (${beginning ?? sql`select`})
    select 1 from spent`)
  if (spent.length === 0) throw createCaptchaError()
}

/** Returns a statement that remembers the item that an attempt made. @param itemId query of its id */
export const finishAttempt = (made: Attempt | null, itemId: SQL): SQL =>
  made
    ? sql`insert into ${attempt} (key, expires_at, item_id) select ${columns(made)}, item.id from (${itemId}) as item(id)
        on conflict (key) do update set item_id = excluded.item_id`
    : sql`select`

/** Forgets an attempt that was refused after it began. */
export async function abandonAttempt(db: Database | Transaction, { key }: Attempt): Promise<void> {
  await db.delete(attempt).where(and(eq(attempt.key, key), isNull(attempt.itemId)))
}

/**
 * Finds what an attempt made. Waits while another request stores it.
 * @returns the id of a post or report, or null if nothing was made
 */
export async function findMadeItem(db: Database, { key }: Attempt): Promise<number | null> {
  for (let waited = 0; ; waited += POLL_MS) {
    const [found] = await db.select({ itemId: attempt.itemId }).from(attempt).where(eq(attempt.key, key))
    if (!found || found.itemId !== null || waited >= MAX_WAIT_MS) return found?.itemId ?? null
    await setTimeout(POLL_MS)
  }
}
