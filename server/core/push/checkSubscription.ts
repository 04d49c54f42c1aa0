import { ECDH } from 'node:crypto'
import type { z } from 'zod'
import type { Context } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { deriveVapidKeys } from '#server/core/security/vapid.ts'
import type { subscriptionForm } from '#src/contract/alerts.ts'
import { refusal } from '#src/contract/refusal.ts'

/** Returns the public key that a browser needs to subscribe. */
export const readPushKey = ({ secrets }: Pick<Context, 'secrets'>) => ({
  publicKey: deriveVapidKeys(secrets.webPush).publicKey,
})

/** @throws AppError 400 for a push service or a key that the site cannot use */
export function checkSubscription(
  { config }: Pick<Context, 'config'>,
  { endpoint, keys }: z.output<typeof subscriptionForm>,
): void {
  // Operators who allow private networks may run a push service in one.
  if (!endpoint.startsWith('https:') && !config.allowPrivateNetwork)
    throw errors.badRequest(refusal('board.alertEndpoint'))
  if (!isPublicKey(keys.p256dh)) throw errors.badRequest(refusal('board.alertKeys'))
}

/** The push services of Chrome, Firefox, Safari and Edge. */
const PUSH_SERVICES =
  /(?:^|\.)(?:fcm\.googleapis\.com|jmt17\.google\.com|push\.services\.mozilla\.com|push\.apple\.com|notify\.windows\.com)$/

/**
 * Refuses other hosts than known push services: without accounts, anybody could let this site send requests to a host.
 * @throws AppError 400
 */
export function checkVisitorEndpoint({ config }: Pick<Context, 'config'>, endpoint: string): void {
  if (!config.allowPrivateNetwork && !PUSH_SERVICES.test(new URL(endpoint).hostname))
    throw errors.badRequest(refusal('board.alertEndpoint'))
}

/** Returns whether a text is a point of the curve. Encrypting for another one would fail. */
function isPublicKey(text: string): boolean {
  try {
    return ECDH.convertKey(text, 'prime256v1', 'base64url', 'hex', 'uncompressed').length === 130
  } catch {
    return false
  }
}
