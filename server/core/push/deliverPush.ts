import type { Services } from '#server/core/context.ts'
import { deriveVapidKeys } from '#server/core/security/vapid.ts'

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
