import { and, eq } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { streamer } from '#db/schema/index.ts'
import { errors } from '#server/core/errors.ts'
import { bucketsForNetworks, consumeBuckets, type LimitContext } from '#server/core/limits/rateLimits.ts'
import { type ChargedRequest, COST, type RequestCosts } from '#server/core/limits/requestCost.ts'
import { hashToken } from '#server/core/security/capability.ts'
import type { RefusedSourceView } from '#src/contract/liveSources.ts'
import { refusal } from '#src/contract/refusal.ts'

/** Longer headers are not passwords. */
const MAX_HEADER_LENGTH = 500

/**
 * Finds the streamer by the password alone: programs send any user name, mostly `source`. The limit of the network counts
 * wrong passwords only, and not those of logins to the site: programs repeat a wrong one ten times a second.
 * @param onRefused called for a wrong password
 * @throws AppError 401, or 429 after too many requests or wrong passwords from the network
 */
export async function logIn(
  services: Omit<LimitContext, 'address'> & { costs: RequestCosts },
  request: ChargedRequest,
  onRefused: () => void = () => {},
): Promise<{ userId: string; name: string }> {
  services.costs.charge(request, COST.call)
  const password = readPassword(request.headers.authorization)
  if (password === null) throw errors.unauthorized(refusal('streamer.sourcePassword'))
  const found = await findStreamer(services, password)
  if (found) return found
  onRefused()
  const ctx = { ...services, address: request.ip }
  const rate = services.config.limits.rates.login
  await consumeBuckets(ctx, bucketsForNetworks(ctx, { name: 'source', rate, amount: 1, text: refusal('limit.login') }))
  throw errors.unauthorized(refusal('streamer.sourcePassword'))
}

/** @returns null for a wrong password or a disabled account */
export async function findStreamer({ db }: Pick<LimitContext, 'db'>, password: string) {
  const { userId, name, disabled, passwordHash } = streamer
  const hasPassword = and(eq(passwordHash, hashToken(password, 'utf8')), eq(disabled, false))
  const [found] = await db.select({ userId, name }).from(streamer).where(hasPassword)
  return found ?? null
}

/** Returns the password of Basic authentication; programs send any user name. */
export function readPassword(authorization: string | undefined): string | null {
  const [, encoded] = /^Basic +([\w+/=-]+) *$/i.exec(authorization?.slice(0, MAX_HEADER_LENGTH) ?? '') ?? []
  if (encoded === undefined) return null
  const pair = Buffer.from(encoded, 'base64').toString()
  return pair.includes(':') ? pair.slice(pair.indexOf(':') + 1) : null
}

/** `owner` is the network of a program with a wrong password, or else the id of its streamer. */
type RefusedSource = RefusedSourceView & { owner: string }

/** Programs repeat their attempts within seconds. */
const KEEP_MS = 5 * 60_000
/** Limits memory. */
const MAX_PROGRAMS = 1000

/** Remembers for some minutes which programs were refused, because most of them do not show the answer. */
export function createRefusedSources(now: () => Date) {
  const refused = new LRUCache<string, RefusedSource>({ max: MAX_PROGRAMS, ttl: KEEP_MS })
  return {
    add(owner: string, client: string, reason: RefusedSource['reason']): void {
      const key = `${owner} ${reason} ${client}`
      const attempts = (refused.get(key)?.attempts ?? 0) + 1
      refused.set(key, { owner, client, reason, attempts, lastAt: now() })
    },
    /** Returns the programs, the latest first. */
    list: (): RefusedSource[] => [...refused.values()],
  }
}
