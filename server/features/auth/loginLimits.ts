import { createHmac } from 'node:crypto'
import { and, desc, eq, notInArray } from 'drizzle-orm'
import { knownNetwork } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import { addressGroup } from '#server/core/limits/networks.ts'
import { dailyKey, type LimitShare, networkShares, shareOf, takeOrRefuse } from '#server/core/limits/rateLimits.ts'
import { TOO_MANY_ATTEMPTS } from '#src/contract/limits.ts'

/** Networks remembered for an account: home, work and a phone that roams. */
const KNOWN_NETWORKS = 20

type Asking = Pick<Context, 'db' | 'config' | 'secrets' | 'now' | 'address'>

/**
 * Counts a login before its password is checked: for the account from this network, for the network and, unless the
 * account logged in from this network before, for the account as a whole. A refused login is not counted.
 * @param userId null where nobody has this email
 * @returns gives all of it back, for a login that succeeds
 * @throws AppError 429
 */
export async function countLogin(ctx: Asking, email: string, userId: string | null): Promise<() => Promise<void>> {
  const { rates, accountLogins } = ctx.config.limits
  const name = email.toLowerCase()
  const text = TOO_MANY_ATTEMPTS
  // Half of what the network has, so that guesses at one account leave logins to its other visitors.
  const pairKey = dailyKey(ctx, `login ${addressGroup(ctx.address)} ${name}`)
  const shares: LimitShare[] = [{ ...shareOf(rates.login, 2), key: pairKey, text }, ...networkShares(ctx, 'login')]
  if (!(await isKnown(ctx, userId))) {
    shares.push({ ...shareOf(accountLogins, 1), key: keyOf(ctx, `account ${name}`), text })
  }
  return takeOrRefuse(ctx, shares)
}

/** Remembers that a user logged in from this network, and forgets the networks that were not used for longest. */
export async function rememberNetwork(ctx: Asking, userId: string): Promise<void> {
  const loggedInAt = ctx.now()
  await ctx.db
    .insert(knownNetwork)
    .values({ userId, network: networkKey(ctx, userId), loggedInAt })
    .onConflictDoUpdate({ target: [knownNetwork.userId, knownNetwork.network], set: { loggedInAt } })
  const kept = ctx.db
    .select({ network: knownNetwork.network })
    .from(knownNetwork)
    .where(eq(knownNetwork.userId, userId))
    .orderBy(desc(knownNetwork.loggedInAt), knownNetwork.network)
    .limit(KNOWN_NETWORKS)
  await ctx.db.delete(knownNetwork).where(and(eq(knownNetwork.userId, userId), notInArray(knownNetwork.network, kept)))
}

async function isKnown(ctx: Asking, userId: string | null): Promise<boolean> {
  if (userId === null) return false
  const found = await ctx.db
    .select({ userId: knownNetwork.userId })
    .from(knownNetwork)
    .where(and(eq(knownNetwork.userId, userId), eq(knownNetwork.network, networkKey(ctx, userId))))
  return found.length > 0
}

/** Differs between users, so that rows do not show who shares a network. */
const networkKey = (ctx: Asking, userId: string) => keyOf(ctx, `network ${addressGroup(ctx.address)} ${userId}`)

/** Emails and addresses of visitors are not stored. */
const keyOf = ({ secrets }: Asking, name: string) =>
  createHmac('sha256', secrets.attempts).update(name).digest('base64url')
