import { createHmac } from 'node:crypto'
import type { LimitKind } from '#server/core/config/config.ts'
import type { Rate } from '#server/core/config/settingTypes.ts'
import type { Context } from '#server/core/context.ts'
import { tooSoon } from '#server/core/errors.ts'
import { type Refusal, refusal } from '#src/contract/refusal.ts'
import { networksOf } from './networks.ts'
import { type EmptyBucket, peekTokens, returnTokens, type TokenBucket, takeTokens } from './tokenBuckets.ts'

export type LimitBucket = TokenBucket & { text: Refusal }

export type LimitContext = Pick<Context, 'db' | 'config' | 'secrets' | 'now' | 'address'>

/**
 * Takes a token from each bucket of the visitor's networks and of the site. Takes nothing if a bucket is empty.
 * @param more additional buckets, from the narrowest to the widest
 * @returns a function that puts the tokens back
 * @throws AppError 429
 */
export async function consumeRateLimit(
  ctx: LimitContext,
  kind: LimitKind,
  more: LimitBucket[] = [],
): Promise<() => Promise<void>> {
  return consumeBuckets(ctx, allBuckets(ctx, kind, more))
}

/** Checks the limit before the server reads a large body. Takes no tokens. @throws AppError 429 */
export async function checkRateLimit(ctx: LimitContext, kind: LimitKind, more: LimitBucket[] = []): Promise<void> {
  if (!ctx.config.rateLimit) return
  const buckets = allBuckets(ctx, kind, more)
  throwIfEmpty(buckets, await peekTokens(ctx.db, ctx.now(), buckets))
}

const allBuckets = (ctx: LimitContext, kind: LimitKind, more: LimitBucket[]) => [
  ...rateLimitBuckets(ctx, kind),
  ...more,
  ...bucketsForSite(ctx, kind),
]

function throwIfEmpty(buckets: LimitBucket[], empty: EmptyBucket | null): void {
  if (empty) throw tooSoon(buckets[empty.index]?.text ?? refusal('limit.requests'), empty.waitMs)
}

/**
 * Takes tokens from all buckets or from none.
 * @param buckets ordered from the narrowest to the widest, see takeTokens
 * @returns a function that puts the tokens back
 * @throws AppError 429
 */
export async function consumeBuckets(
  { db, config, now }: Pick<LimitContext, 'db' | 'config' | 'now'>,
  buckets: LimitBucket[],
): Promise<() => Promise<void>> {
  if (!config.rateLimit) return async () => {}
  throwIfEmpty(buckets, await takeTokens(db, now(), buckets))
  return () => returnTokens(db, buckets)
}

export const rateLimitBuckets = (ctx: LimitContext, kind: LimitKind): LimitBucket[] =>
  bucketsForNetworks(ctx, {
    name: kind,
    rate: ctx.config.limits.rates[kind],
    amount: 1,
    text: refusal(`limit.${kind}`),
  })

export function bucketsForNetworks(
  ctx: LimitContext,
  { name, rate, amount, text }: { name: string; rate: Rate; amount: number; text: Refusal },
): LimitBucket[] {
  return networksOf(ctx.address).map(({ key, share }) => ({
    ...bucketSize(rate, amount / share),
    key: dailyKey(ctx, `${name} ${key}`),
    text,
  }))
}

/** Returns the bucket that all visitors share. It limits attackers who use many networks; captchas and logins have none. */
function bucketsForSite(ctx: LimitContext, kind: LimitKind): LimitBucket[] {
  if (kind === 'captcha' || kind === 'login') return []
  const { rates, siteFactor } = ctx.config.limits
  const text = refusal(`limit.${kind}OnSite`)
  return [{ ...bucketSize(rates[kind], 1 / siteFactor), key: dailyKey(ctx, `${kind} site`), text }]
}

/** Returns the cost of `amount` tokens and the size of the bucket, both in ms. The cost is at most the size. */
export function bucketSize({ burst, everySeconds }: Rate, amount: number): Pick<TokenBucket, 'costMs' | 'capacityMs'> {
  const capacityMs = Math.round(burst * everySeconds * 1000)
  return { capacityMs, costMs: Math.min(capacityMs, Math.max(1, Math.round(everySeconds * 1000 * amount))) }
}

/** Hashes a bucket's name with a daily key, so that rows of different days cannot be linked. */
export function dailyKey({ secrets, now }: Pick<LimitContext, 'secrets' | 'now'>, name: string): string {
  const day = createHmac('sha256', secrets.limits).update(now().toISOString().slice(0, 10)).digest()
  return createHmac('sha256', day).update(name).digest('base64url')
}
