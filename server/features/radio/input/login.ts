import { eq } from 'drizzle-orm'
import { streamer } from '#db/schema/index.ts'
import { errors } from '#server/core/errors.ts'
import { bucketsForNetworks, consumeBuckets, type LimitContext } from '#server/core/limits/rateLimits.ts'
import { type ChargedRequest, COST, type RequestCosts } from '#server/core/limits/requestCost.ts'
import { hashToken } from '#server/core/security/capability.ts'

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
  const { userId, name, disabled, passwordHash } = streamer
  const [found] = await services.db
    .select({ userId, name, disabled })
    .from(streamer)
    .where(eq(passwordHash, hashToken(password, 'utf8')))
  if (found && !found.disabled) return { userId: found.userId, name: found.name }
  onRefused()
  const ctx = { ...services, address: request.ip }
  const rate = services.config.limits.rates.login
  await consumeBuckets(ctx, bucketsForNetworks(ctx, { name: 'source', rate, amount: 1, text: refusal('limit.login') }))
  throw errors.unauthorized(refusal('streamer.sourcePassword'))
}

function readPassword(authorization: string | undefined): string | null {
  const [, encoded] = /^Basic +([\w+/=-]+) *$/i.exec(authorization?.slice(0, MAX_HEADER_LENGTH) ?? '') ?? []
  if (encoded === undefined) return null
  const pair = Buffer.from(encoded, 'base64').toString()
  return pair.includes(':') ? pair.slice(pair.indexOf(':') + 1) : null
}
