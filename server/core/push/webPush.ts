import { createECDH, ECDH } from 'node:crypto'
import type { z } from 'zod'
import type { Context, Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import type { subscriptionForm } from '#src/contract/alerts.ts'
import { refusal } from '#src/contract/refusal.ts'

/** Both base64url, as web-push expects them. */
type VapidKeys = { publicKey: string; privateKey: string }

/** Derives the key pair that identifies this site to push services. @param seed 32 random bytes */
function deriveVapidKeys(seed: Uint8Array): VapidKeys {
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(Buffer.from(seed))
  return {
    publicKey: curve.getPublicKey('base64url', 'uncompressed'),
    privateKey: Buffer.from(seed).toString('base64url'),
  }
}

const TIMEOUT_MS = 10_000
const MAX_RESPONSE_BYTES = 16 * 1024
/** A push service drops a message that it cannot deliver within this time, in seconds. */
const TTL_SECONDS = 12 * 60 * 60
/** Push services answer with these if the browser no longer exists. */
const GONE = [404, 410]

export type PushSubscription = { endpoint: string; p256dh: string; auth: string }

/** Encrypts a message for a browser and sends it to its push service. @returns false if the subscription has ended */
export async function deliverPush(
  { config, fetcher, secrets, log }: Services,
  { endpoint, p256dh, auth }: PushSubscription,
  message: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    // Loaded here, because most processes never send an alert.
    const { default: webPush } = await import('web-push')
    const { headers, body } = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, message, {
      vapidDetails: { subject: subjectOf(config.siteUrl), ...deriveVapidKeys(secrets.webPush) },
      TTL: TTL_SECONDS,
      urgency: 'high',
    })
    const status = await fetcher.readStatus(new URL(endpoint), {
      body: body ?? Buffer.alloc(0),
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      signal,
      totalMs: TIMEOUT_MS,
      maxBytes: MAX_RESPONSE_BYTES,
      maxRedirects: 0,
      trusts: () => config.allowPrivateNetwork,
    })
    if (status >= 400 && !GONE.includes(status)) log.warn({ status }, 'a push service refused an alert')
    return !GONE.includes(status)
  } catch (error) {
    // The endpoint is a secret of the browser, so it is not logged.
    log.warn({ reason: (error as Error).message }, 'an alert could not be pushed')
    return true
  }
}

/** Push services contact this URL about problems. They accept only https and mailto. */
const subjectOf = (siteUrl: string) => (siteUrl.startsWith('https:') ? siteUrl : 'mailto:webmaster@localhost')

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
