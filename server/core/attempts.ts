import { createHmac } from 'node:crypto'
import { eq, lt, sql } from 'drizzle-orm'
import type { Database } from '#db/client.server.ts'
import { attempt } from '#db/schema/index.ts'
import { TOO_MANY_ATTEMPTS } from '#src/contract/limits.ts'
import type { Context } from './context.ts'
import { tooSoon } from './limits.ts'

/** Attempts in a row that cost nothing; from there on each next one doubles the wait. */
const FREE_FAILURES = 10
/**
 * Longest wait: long enough against guessing, and half of what a network waits for its next login (limits.ts): guesses
 * from one network leave room for the right password of somebody else.
 */
const LONGEST_WAIT_S = 30
const MEMORY_MS = 60 * 60 * 1000

type Asking = Pick<Context, 'db' | 'config' | 'secrets' | 'now'>

/** Emails of visitors do not stand in the database. */
const keyOf = ({ secrets }: Asking, name: string) =>
  createHmac('sha256', secrets.attempts).update(name).digest('base64url')

/**
 * Counts an attempt before it is looked at, in one statement, so that a thousand at once are a thousand counted; one
 * that succeeds is forgotten again.
 * @param name of what is guessed at, whether it exists or not
 * @throws AppError 429 with the seconds to wait while there were too many failures
 */
export async function takeAttempt(ctx: Asking, name: string): Promise<void> {
  if (!ctx.config.rateLimit) return
  const key = keyOf(ctx, name)
  const now = ctx.now()
  const expiresAt = new Date(now.getTime() + MEMORY_MS)
  const stale = sql`${attempt.expiresAt} < ${now.toISOString()}::timestamptz`
  // Longer than any wait: the clock was put back.
  const due = sql`${attempt.retryAt} not between ${now.getTime() + 1}::bigint
    and ${now.getTime() + 2 * LONGEST_WAIT_S * 1000}::bigint`
  const wait = sql`least(${LONGEST_WAIT_S}::int, power(2, least(${attempt.count} + 1 - ${FREE_FAILURES}, 10)))`
  const [taken] = await ctx.db
    .insert(attempt)
    .values({ key, count: 1, retryAt: 0, expiresAt })
    .onConflictDoUpdate({
      target: attempt.key,
      set: {
        count: sql`case when ${stale} then 1 else ${attempt.count} + 1 end`,
        retryAt: sql`case when ${stale} or ${attempt.count} + 1 < ${FREE_FAILURES} then 0
          else ${now.getTime()}::bigint + (1000 * ${wait})::bigint end`,
        expiresAt,
      },
      setWhere: sql`${stale} or ${due}`,
    })
    .returning({ key: attempt.key })
  if (!taken) throw tooSoon(TOO_MANY_ATTEMPTS, (await retryAt(ctx.db, key)) - now.getTime())
}

async function retryAt(db: Database, key: string): Promise<number> {
  const [row] = await db.select({ retryAt: attempt.retryAt }).from(attempt).where(eq(attempt.key, key))
  return row?.retryAt ?? 0
}

/** Forgets the attempts at what was got right. */
export async function forgetAttempts(ctx: Asking, name: string): Promise<void> {
  await ctx.db.delete(attempt).where(eq(attempt.key, keyOf(ctx, name)))
}

/** Forgets attempts nobody waits for any more. */
export async function sweepAttempts(db: Database, now: Date): Promise<void> {
  await db.delete(attempt).where(lt(attempt.expiresAt, now))
}
