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
import { refusal } from '#src/contract/refusal.ts'

/** Limits remembered networks per account. Twenty are enough for home, work and mobile networks. */
const KNOWN_NETWORKS = 20

/**
 * Counts a login attempt before the password is checked. Three limits apply: one for the account in this network, one
 * for the network, and one for the account in all networks. The last limit does not apply if the account has logged in
 * from this network before.
 * @param userId null for an unknown email
 * @returns a function that refunds the attempt after a successful login
 * @throws AppError 429
 */
export async function countLogin(
  ctx: LimitContext,
  email: string,
  userId: string | null,
): Promise<() => Promise<void>> {
  const { rates, accountLogins } = ctx.config.limits
  const name = email.toLowerCase()
  // One account gets half of the network's limit, so its attempts do not block other visitors of the network.
  const pairKey = dailyKey(ctx, `login ${visitorNetwork(ctx.address)} ${name}`)
  const buckets: LimitBucket[] = [
    { ...bucketSize(rates.login, 2), key: pairKey, text: refusal('limit.attempts') },
    ...rateLimitBuckets(ctx, 'login'),
  ]
  if (!(await isKnownNetwork(ctx, userId))) {
    buckets.push({
      ...bucketSize(accountLogins, 1),
      key: hmacKey(ctx, `account ${name}`),
      text: refusal('limit.attempts'),
    })
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
  const isKnown = and(eq(knownNetwork.userId, userId), eq(knownNetwork.network, networkKey(ctx, userId)))
  return (await ctx.db.$count(knownNetwork, isKnown)) > 0
}

/** Differs between users, so the rows do not reveal that two users share a network. */
const networkKey = (ctx: LimitContext, userId: string) =>
  hmacKey(ctx, `network ${visitorNetwork(ctx.address)} ${userId}`)

/** Hashes names, so that the database does not store emails and IP addresses. */
const hmacKey = ({ secrets }: LimitContext, name: string) =>
  createHmac('sha256', secrets.attempts).update(name).digest('base64url')
