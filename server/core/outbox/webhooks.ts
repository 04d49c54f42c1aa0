import { createHmac } from 'node:crypto'
import { and, desc, eq, inArray } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { outbox } from '#db/schema/index.ts'
import type { Config } from '#server/core/config/config.ts'
import type { Services } from '#server/core/context.ts'
import { type Outlet, type Queued, queueMessages, settleMessage } from './outbox.ts'

/** Limits the calls that wait for a webhook that does not respond. The oldest are dropped. */
export const MAX_WAITING = 500
/** Limits the time that a receiver can delay the next call. */
const TIMEOUT_MS = 10_000
const MAX_RESPONSE_BYTES = 16 * 1024

type WebhookName = keyof Config['webhooks']

const targetOf = (name: WebhookName) => `${name}-webhook` as const

/** Stores calls of a webhook, in the transaction of what they report. Does nothing if the webhook is not set. */
export async function queueWebhooks(
  tx: Transaction,
  { config, now, log }: Pick<Services, 'config' | 'now' | 'log'>,
  name: WebhookName,
  bodies: object[],
): Promise<void> {
  if (!config.webhooks[name] || bodies.length === 0) return
  const target = targetOf(name)
  await queueMessages(tx, target, now(), bodies)
  const isOfTarget = eq(outbox.target, target)
  const oldest = tx
    .select({ id: outbox.id })
    .from(outbox)
    .where(isOfTarget)
    .orderBy(desc(outbox.id))
    .offset(MAX_WAITING)
  const dropped = await tx
    .delete(outbox)
    .where(and(isOfTarget, inArray(outbox.id, oldest)))
    .returning({ id: outbox.id })
  if (dropped.length > 0) log.warn({ webhook: name, dropped: dropped.length }, 'too many calls of a webhook wait')
}

/** Calls a webhook in the order of the messages. After a failed call, the others wait for its repetition. */
export function createWebhookOutlet(name: WebhookName): Outlet<object> {
  const target = targetOf(name)
  return {
    target,
    batch: 20,
    async send(services, messages, signal) {
      const webhook = services.config.webhooks[name]
      if (!webhook) {
        // The calls of a webhook that the operator removed would be stored forever.
        await services.db.delete(outbox).where(eq(outbox.target, target))
        return true
      }
      for (const message of messages) {
        const failure = await call(services, webhook, message, signal)
        signal.throwIfAborted()
        await settleMessage(services, target, message, failure)
        if (failure !== null) break
      }
      return true
    },
  }
}

/** @returns the reason of a failure, or null */
async function call(
  { fetcher, now }: Services,
  { url, secret }: { url: string; secret: string },
  { id, message }: Queued<object>,
  signal: AbortSignal,
): Promise<string | null> {
  const body = JSON.stringify(message)
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
