import type { z } from 'zod'
import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { hashToken, verifyToken } from '#server/core/security/capability.ts'
import { RadioUnavailable } from '#server/features/radio/types.ts'
import type { azuracastCall } from '#src/contract/radio.ts'
import { refusal } from '#src/contract/refusal.ts'

export const AZURACAST_WEBHOOK_PATH = '/api/radio/webhooks/azuracast'
const DEFAULT_STATION_ID = 1

/**
 * Reads what a station plays, because an AzuraCast reports a change. Uses nothing else of the call, because anyone who
 * learns the token could send it.
 * @throws AppError 404 without AZURACAST_WEBHOOK_TOKEN or for an unknown station, 401 for a wrong token
 */
export async function receiveAzuracastCall(ctx: Context, input: z.output<typeof azuracastCall>): Promise<void> {
  const { config, radio, serviceBroadcasts } = ctx
  if (config.azuracastToken === null) throw errors.notFound(refusal('failure.notFound'))
  const given = input.token ?? readAuthorization(input.authorization)
  // Compares hashes: the time does not depend on the token.
  if (!verifyToken(given, hashToken(config.azuracastToken, 'utf8'), 'utf8')) {
    throw errors.unauthorized(refusal('radio.webhookToken'))
  }
  try {
    await radio.refreshNowPlaying(input.station ?? DEFAULT_STATION_ID, () => serviceBroadcasts.wake())
  } catch (error) {
    // The poll notices when the service is back.
    if (!(error instanceof RadioUnavailable)) throw error
  }
}

/** Accepts a bearer token, and a password of any user, which AzuraCast's form offers. */
function readAuthorization(header = ''): string | undefined {
  const [, scheme = '', value = ''] = /^(bearer|basic) +(\S+)$/i.exec(header) ?? []
  if (scheme.toLowerCase() !== 'basic') return value || undefined
  const text = Buffer.from(value, 'base64').toString()
  return text.includes(':') ? text.slice(text.indexOf(':') + 1) : undefined
}
