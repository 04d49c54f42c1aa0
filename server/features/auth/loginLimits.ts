import { createHmac } from 'node:crypto'
import { and, desc, eq, notInArray } from 'drizzle-orm'
import { knownNetwork } from '#db/schema/index.ts'
import { visitorNetwork } from '#server/core/limits/networks.ts'
import {
  bucketSize,
  consumeBuckets,
  dailyKey,
  type LimitBucket,
  type LimitContext,
  rateLimitBuckets,
} from '#server/core/limits/rateLimits.ts'
import { TOO_MANY_ATTEMPTS as text } from '#src/contract/limits.ts'

/** Networks to remember per account, such as home, work and a mobile network. */
const KNOWN_NETWORKS = 20

/**
 * Counts a login attempt before the password is checked. Up to three limits apply: for the account from this network,
 * for the network, and for the account from all networks, unless the account logged in from this network before.
 * @param userId null for an unknown email
 * @returns a function that refunds the attempt, for a successful login
 * @throws AppError 429
 */
export async function countLogin(
  ctx: LimitContext,
  email: string,
  userId: string | null,
): Promise<() => Promise<void>> {
  const { rates, accountLogins } = ctx.config.limits
  const name = email.toLowerCase()
  // Half of the network's limit, so attempts for one account do not block its other visitors.
  const pairKey = dailyKey(ctx, `login ${visitorNetwork(ctx.address)} ${name}`)
  const buckets: LimitBucket[] = [
    { ...bucketSize(rates.login, 2), key: pairKey, text },
    ...rateLimitBuckets(ctx, 'login'),
  ]
  if (!(await isKnownNetwork(ctx, userId))) {
    buckets.push({ ...bucketSize(accountLogins, 1), key: hmacKey(ctx, `account ${name}`), text })
  }
  return consumeBuckets(ctx, buckets)
}

export async function rememberNetwork(ctx: LimitContext, userId: string): Promise<void> {
  const loggedInAt = ctx.now()
  await ctx.db
    .insert(knownNetwork)
    .values({ userId, network: networkKey(ctx, userId), loggedInAt })
    .onConflictDoUpdate({ target: [knownNetwork.userId, knownNetwork.network], set: { loggedInAt } })
  const recent = ctx.db
    .select({ network: knownNetwork.network })
    .from(knownNetwork)
    .where(eq(knownNetwork.userId, userId))
    .orderBy(desc(knownNetwork.loggedInAt), knownNetwork.network)
    .limit(KNOWN_NETWORKS)
  await ctx.db
    .delete(knownNetwork)
    .where(and(eq(knownNetwork.userId, userId), notInArray(knownNetwork.network, recent)))
}

async function isKnownNetwork(ctx: LimitContext, userId: string | null): Promise<boolean> {
  if (userId === null) return false
  const rows = await ctx.db
    .select({ userId: knownNetwork.userId })
    .from(knownNetwork)
    .where(and(eq(knownNetwork.userId, userId), eq(knownNetwork.network, networkKey(ctx, userId))))
  return rows.length > 0
}

/** Differs between users, so rows do not reveal that users share a network. */
const networkKey = (ctx: LimitContext, userId: string) =>
  hmacKey(ctx, `network ${visitorNetwork(ctx.address)} ${userId}`)

/** Hashes names, because emails and IP addresses are not stored. */
const hmacKey = ({ secrets }: LimitContext, name: string) =>
  createHmac('sha256', secrets.attempts).update(name).digest('base64url')
