import { and, desc, eq, inArray } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { webhookDelivery } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'

export type WebhookTarget = (typeof webhookDelivery.$inferSelect)['target']

/** Limits the calls that wait for a webhook that does not respond. The oldest are dropped. */
export const MAX_WAITING = 500

/** Stores calls of a webhook, in the transaction of what they report. Does nothing if the webhook is not set. */
export async function queueWebhooks(
  tx: Transaction,
  { config, now, log }: Pick<Services, 'config' | 'now' | 'log'>,
  target: WebhookTarget,
  bodies: object[],
): Promise<void> {
  if (!config.webhooks[target] || bodies.length === 0) return
  const createdAt = now()
  const due = { target, createdAt, nextAttemptAt: createdAt }
  const values = bodies.map((body) => ({ ...due, body: JSON.stringify(body) }))
  await tx.insert(webhookDelivery).values(values)
  const isOfTarget = eq(webhookDelivery.target, target)
  const oldest = tx
    .select({ id: webhookDelivery.id })
    .from(webhookDelivery)
    .where(isOfTarget)
    .orderBy(desc(webhookDelivery.id))
    .offset(MAX_WAITING)
  const dropped = await tx
    .delete(webhookDelivery)
    .where(and(isOfTarget, inArray(webhookDelivery.id, oldest)))
    .returning({ id: webhookDelivery.id })
  if (dropped.length > 0) log.warn({ webhook: target, dropped: dropped.length }, 'too many calls of a webhook wait')
}
