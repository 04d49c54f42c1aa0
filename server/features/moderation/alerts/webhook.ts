import { createHmac } from 'node:crypto'
import { asc, eq, lte } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { webhookDelivery } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { ALERT_PATH } from '#src/contract/alerts.ts'
import type { AlertGroup } from './push.ts'

const MAX_ATTEMPTS = 8
const FIRST_RETRY_MS = 30_000
const BATCH = 20
const TIMEOUT_MS = 10_000
const MAX_RESPONSE_BYTES = 16 * 1024

/** Stores one call per kind of alert. It names boards and counts, but no content, IP addresses or names. */
export async function queueWebhooks(
  tx: Transaction,
  { config, now }: Pick<Services, 'config' | 'now'>,
  groups: AlertGroup[],
): Promise<void> {
  if (!config.moderationWebhook || groups.length === 0) return
  const createdAt = now()
  const url = `${config.siteUrl}${ALERT_PATH}`
  const values = groups.map(({ kind, counts }) => {
    const count = [...counts.values()].reduce((sum, one) => sum + one, 0)
    const boards = [...counts.keys()].filter((boardId) => boardId !== null)
    const body = JSON.stringify({ event: kind, count, boards, at: createdAt.toISOString(), url })
    return { body, createdAt, nextAttemptAt: createdAt }
  })
  await tx.insert(webhookDelivery).values(values)
}

/** Makes the calls that are due. Repeats a failed call later, and gives up after MAX_ATTEMPTS. */
export async function deliverWebhooks(services: Services, signal: AbortSignal): Promise<void> {
  const { db, config, now, log } = services
  const due = await db
    .select()
    .from(webhookDelivery)
    .where(lte(webhookDelivery.nextAttemptAt, now()))
    .orderBy(asc(webhookDelivery.nextAttemptAt))
    .limit(BATCH)
  for (const { id, body, attempts } of due) {
    signal.throwIfAborted()
    const isOwn = eq(webhookDelivery.id, id)
    const failure = config.moderationWebhook
      ? await call(services, config.moderationWebhook, { id, body }, signal)
      : null
    const tried = attempts + 1
    if (failure === null || tried >= MAX_ATTEMPTS) {
      if (failure !== null) log.error({ reason: failure, attempts: tried }, 'the moderation webhook failed: giving up')
      await db.delete(webhookDelivery).where(isOwn)
      continue
    }
    const nextAttemptAt = new Date(now().getTime() + FIRST_RETRY_MS * 2 ** attempts)
    await db.update(webhookDelivery).set({ attempts: tried, nextAttemptAt }).where(isOwn)
    log.warn({ reason: failure, attempts: tried }, 'the moderation webhook failed')
  }
}

/** @returns why the call failed, or null */
async function call(
  { fetcher, now }: Services,
  { url, secret }: { url: string; secret: string },
  { id, body }: { id: number; body: string },
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
    const { status } = await fetcher.read(new URL(url), {
      ...{ body: Buffer.from(body), headers, signal, totalMs: TIMEOUT_MS },
      ...{ maxBytes: MAX_RESPONSE_BYTES, truncate: true, maxRedirects: 0, trusts: () => true },
    })
    return status >= 200 && status < 300 ? null : `status ${status}`
  } catch (error) {
    return (error as Error).message
  }
}

/** The timestamp is signed too, so that receivers can refuse old calls. */
export const signWebhook = (secret: string, timestamp: number, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`
