import { createHmac } from 'node:crypto'
import { asc, eq } from 'drizzle-orm'
import { webhookDelivery } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import type { WebhookTarget } from './queueWebhooks.ts'

const MAX_ATTEMPTS = 8
const FIRST_RETRY_MS = 30_000
/** Limits the time that a receiver can delay the next call. */
const TIMEOUT_MS = 10_000
const MAX_RESPONSE_BYTES = 16 * 1024

type Delivery = Pick<typeof webhookDelivery.$inferSelect, 'id' | 'body'>

/**
 * Makes the calls of a webhook in the order of their ids, up to the first that is not due. After a failed call, the others wait for its
 * repetition, so that the order stays. Gives a call up after MAX_ATTEMPTS. Only one process may run this per target.
 */
export async function deliverWebhooks(services: Services, target: WebhookTarget, signal: AbortSignal): Promise<void> {
  const { db, config, now, log } = services
  const webhook = config.webhooks[target]
  if (!webhook) {
    // The calls of a webhook that the operator removed would be stored forever.
    await db.delete(webhookDelivery).where(eq(webhookDelivery.target, target))
    return
  }
  for (;;) {
    signal.throwIfAborted()
    const [next] = await db
      .select()
      .from(webhookDelivery)
      .where(eq(webhookDelivery.target, target))
      .orderBy(asc(webhookDelivery.id))
      .limit(1)
    if (!next || next.nextAttemptAt > now()) return
    const isOwn = eq(webhookDelivery.id, next.id)
    const failure = await call(services, webhook, next, signal)
    signal.throwIfAborted()
    const attempts = next.attempts + 1
    const isLast = attempts >= MAX_ATTEMPTS
    if (failure !== null) {
      const details = { webhook: target, reason: failure, attempts }
      if (isLast) log.error(details, 'a webhook failed: giving up')
      else log.warn(details, 'a webhook failed')
    }
    if (failure === null || isLast) {
      await db.delete(webhookDelivery).where(isOwn)
      continue
    }
    const nextAttemptAt = new Date(now().getTime() + FIRST_RETRY_MS * 2 ** next.attempts)
    await db.update(webhookDelivery).set({ attempts, nextAttemptAt }).where(isOwn)
    return
  }
}

/** @returns the reason of a failure, or null */
async function call(
  { fetcher, now }: Services,
  { url, secret }: { url: string; secret: string },
  { id, body }: Delivery,
  signal: AbortSignal,
): Promise<string | null> {
  const timestamp = Math.floor(now().getTime() / 1000)
  const headers = {
    'content-type': 'application/json',
    'x-webhook-id': String(id),
    'x-webhook-timestamp': String(timestamp),
    'x-webhook-signature': signWebhook(secret, timestamp, body),
  }
  try {
    const status = await fetcher.readStatus(new URL(url), {
      ...{ body: Buffer.from(body), headers, signal, totalMs: TIMEOUT_MS },
      ...{ maxBytes: MAX_RESPONSE_BYTES, maxRedirects: 0, trusts: () => true },
    })
    return status >= 200 && status < 300 ? null : `status ${status}`
  } catch (error) {
    return (error as Error).message
  }
}

/** The timestamp is signed too, so that receivers can refuse old calls. */
const signWebhook = (secret: string, timestamp: number, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`
