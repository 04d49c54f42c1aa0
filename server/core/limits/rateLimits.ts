import { createHmac } from 'node:crypto'
import type { Rate } from '#server/core/config/settingTypes.ts'
import type { Context } from '#server/core/context.ts'
import { tooSoon } from '#server/core/errors.ts'
import { type LimitKind, limitTexts, siteLimitTexts } from '#src/contract/limits.ts'
import { networksOf } from './networks.ts'
import { peekTokens, type Refusal, returnTokens, type Share, takeTokens } from './tokenBuckets.ts'

/** A count, and what is said when it is used up. */
export type LimitBucket = Share & { text: string }

type Asking = Pick<Context, 'db' | 'config' | 'secrets' | 'now' | 'address'>

/**
 * Takes one of what the visitor's networks and the whole site may do of a kind, or refuses and takes nothing.
 * @param more taken with it, from the narrowest to the widest
 * @returns gives all of it back, for what turned out not to count
 * @throws AppError 429
 */
export async function consumeRateLimit(
  ctx: Asking,
  kind: LimitKind,
  more: LimitBucket[] = [],
): Promise<() => Promise<void>> {
  return consumeBuckets(ctx, sharesOf(ctx, kind, more))
}

/**
 * Refuses like consumeRateLimit, but takes nothing: for before a large body is read.
 * @throws AppError 429
 */
export async function checkRateLimit(ctx: Asking, kind: LimitKind, more: LimitBucket[] = []): Promise<void> {
  if (!ctx.config.rateLimit) return
  const shares = sharesOf(ctx, kind, more)
  refuse(shares, await peekTokens(ctx.db, ctx.now(), shares))
}

const sharesOf = (ctx: Asking, kind: LimitKind, more: LimitBucket[]) => [
  ...networkBuckets(ctx, kind),
  ...more,
  ...siteShares(ctx, kind),
]

function refuse(shares: LimitBucket[], refusal: Refusal | null): void {
  if (refusal) throw tooSoon(shares[refusal.index]?.text ?? '', refusal.waitMs)
}

/**
 * Takes from all shares or from none.
 * @param shares from the narrowest to the widest (allowances.ts)
 * @returns gives all of it back
 * @throws AppError 429
 */
export async function consumeBuckets(
  { db, config, now }: Pick<Asking, 'db' | 'config' | 'now'>,
  shares: LimitBucket[],
): Promise<() => Promise<void>> {
  if (!config.rateLimit) return async () => {}
  refuse(shares, await takeTokens(db, now(), shares))
  return () => returnTokens(db, shares)
}

/** One of a kind, as it counts for the visitor's networks. */
export const networkBuckets = (ctx: Asking, kind: LimitKind): LimitBucket[] =>
  bucketsOfNetworks(ctx, { name: kind, rate: ctx.config.limits.rates[kind], amount: 1, text: limitTexts[kind] })

/** What is counted for one visitor: the own network, and wider IPv6 networks, which have a multiple. */
export function bucketsOfNetworks(
  ctx: Asking,
  { name, rate, amount, text }: { name: string; rate: Rate; amount: number; text: string },
): LimitBucket[] {
  return networksOf(ctx.address).map(({ key, share }) => ({
    ...bucketSize(rate, amount / share),
    key: dailyKey(ctx, `${name} ${key}`),
    text,
  }))
}

/** The allowance of all visitors together, without which many networks at once would be a way around the limits. */
function siteShares(ctx: Asking, kind: LimitKind): LimitBucket[] {
  const { rates, siteFactor } = ctx.config.limits
  const text = siteLimitTexts[kind]
  if (text === undefined) return []
  return [{ ...bucketSize(rates[kind], 1 / siteFactor), key: dailyKey(ctx, `${kind} site`), text }]
}

/** What `amount` takes of a rate. One that is larger than all there is takes all there is. */
export function bucketSize({ burst, everySeconds }: Rate, amount: number): Pick<Share, 'costMs' | 'wholeMs'> {
  const wholeMs = Math.round(burst * everySeconds * 1000)
  return { wholeMs, costMs: Math.min(wholeMs, Math.max(1, Math.round(everySeconds * 1000 * amount))) }
}

/** What is counted, as it is stored: hashed under a key of the day, so that the rows of two days cannot be linked. */
export function dailyKey({ secrets, now }: Pick<Asking, 'secrets' | 'now'>, name: string): string {
  const day = createHmac('sha256', secrets.limits).update(now().toISOString().slice(0, 10)).digest()
  return createHmac('sha256', day).update(name).digest('base64url')
}
