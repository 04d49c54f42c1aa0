import { createHmac } from 'node:crypto'
import { eq, gt, lt, lte, or, sql } from 'drizzle-orm'
import type { Database } from '#db/client.server.ts'
import { allowance } from '#db/schema/index.ts'
import { type LimitKind, limitTexts, untilLater } from '#src/contract/limits.ts'
import { addressGroup } from './addressGroup.ts'
import type { Context } from './context.ts'
import { type AppError, errors } from './errors.ts'

/**
 * What all visitors of one network may do together: so much in a burst, and one more every so many seconds. A whole
 * school or the users of one Tor exit are a network: bursts are wide enough for several people at once, while a
 * script gets no further than the slow flow behind them.
 */
export const limits: Record<LimitKind, { burst: number; everySeconds: number }> = {
  // also bounds how many pictures of posts are decoded
  post: { burst: 15, everySeconds: 10 },
  // each pushes another thread down the board
  thread: { burst: 5, everySeconds: 120 },
  // an upload is seconds of a core and up to 5 MiB on the disk
  upload: { burst: 20, everySeconds: 30 },
  paste: { burst: 20, everySeconds: 10 },
  // asked for with each dialog, and again after each wrong answer, which counts as well
  captcha: { burst: 60, everySeconds: 2 },
  // those that failed; slower than the wait of a single account (attempts.ts), so that one network cannot fill it
  login: { burst: 20, everySeconds: 60 },
}

/** What a crash of the database takes back, of a second at most, is not worth waiting for the disk. */
const withoutWaiting = sql`set_config('synchronous_commit', 'off', true)`

type Asking = Pick<Context, 'db' | 'config' | 'secrets' | 'now' | 'address'>

/**
 * Takes one of what the visitor's network may do of a kind, or refuses. A row holds when all would be there again
 * (the generic cell rate algorithm); one statement moves it on, so that a thousand at once are a thousand counted,
 * in however many processes.
 * @returns gives it back, for what turned out not to count
 * @throws AppError 429
 */
export async function takeAllowance(ctx: Asking, kind: LimitKind): Promise<() => Promise<void>> {
  if (!ctx.config.rateLimit) return async () => {}
  const { burst, everySeconds } = limits[kind]
  const one = everySeconds * 1000
  const whole = burst * one
  const now = ctx.now().getTime()
  const key = keyOf(ctx, kind)
  // No row of this clock is so far ahead: it was put back, and nobody is to wait until it is there again.
  const ofLaterClock = gt(allowance.fullAt, now + 2 * whole)
  const [taken] = await ctx.db
    .insert(allowance)
    .values({ key, fullAt: now + one })
    .onConflictDoUpdate({
      target: allowance.key,
      set: {
        fullAt: sql`case when ${ofLaterClock} then ${now}::bigint
          else greatest(${allowance.fullAt}, ${now}::bigint) end + ${one}::bigint`,
      },
      setWhere: or(lte(allowance.fullAt, now + whole - one), ofLaterClock),
    })
    .returning({ key: allowance.key, commit: withoutWaiting })
  if (!taken) throw tooSoon(limitTexts[kind], (await fullAt(ctx.db, key)) - (whole - one) - now)
  return async () => {
    await ctx.db
      .update(allowance)
      .set({ fullAt: sql`${allowance.fullAt} - ${one}::bigint` })
      .where(eq(allowance.key, key))
  }
}

/** Zero where the row is gone meanwhile. */
async function fullAt(db: Database, key: string): Promise<number> {
  const [row] = await db.select({ fullAt: allowance.fullAt }).from(allowance).where(eq(allowance.key, key))
  return row?.fullAt ?? 0
}

/** Who it is about, as it is stored: under a key of the day, so that the rows of two days have nothing in common. */
function keyOf({ secrets, now, address }: Asking, kind: LimitKind): string {
  const day = createHmac('sha256', secrets.limits).update(now().toISOString().slice(0, 10)).digest()
  return createHmac('sha256', day)
    .update(`${kind} ${addressGroup(address)}`)
    .digest('base64url')
}

/** A refusal that says when: in words, and with the same number as Retry-After. */
export function tooSoon(text: string, waitMs: number): AppError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  const retryAfter = seconds < 60 ? seconds : Math.ceil(seconds / 60) * 60
  return errors.tooMany(untilLater(text, retryAfter), { retryAfter })
}

/** Forgets what says no more than no row does: everything is there again. */
export async function sweepAllowances(db: Database, now: Date): Promise<void> {
  await db.delete(allowance).where(lt(allowance.fullAt, now.getTime()))
}
