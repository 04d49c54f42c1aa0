import { and, gt, inArray, isNull, lt } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { alert } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import type { TopicChange } from '#server/core/events/event.ts'
import { publish } from '#server/core/events/writeAndPublish.ts'
import { deliverWebhooks } from '#server/core/webhooks/deliverWebhooks.ts'
import { ALERT_KINDS, type AlertKind } from '#src/contract/moderation.ts'
import { type AlertGroup, pushAlerts } from './push.ts'
import { queueAlertWebhooks } from './webhook.ts'

/** Moderators get at most one alert per kind in this time. Later ones are added up. */
const MIN_INTERVAL_MS = 60_000
const KEEP_MS = 24 * 60 * 60 * 1000

/** Sends waiting alerts. An alert is marked as sent first: after a crash it is lost, but never sent again and again. */
export async function sendAlerts(services: Services, signal: AbortSignal): Promise<void> {
  const { db, now } = services
  const groups = await db.transaction(async (tx) => {
    const taken = await takeAlerts(tx, now())
    await queueAlertWebhooks(tx, services, taken)
    if (services.config.irc?.staffChannel) await publish(tx, now(), toChanges(taken))
    return taken
  })
  if (groups.length > 0) await pushAlerts(services, groups, signal)
  await deliverWebhooks(services, 'moderation', signal)
  await db.delete(alert).where(lt(alert.sentAt, new Date(now().getTime() - KEEP_MS)))
}

async function takeAlerts(tx: Transaction, now: Date): Promise<AlertGroup[]> {
  const recent = await tx
    .selectDistinct({ kind: alert.kind })
    .from(alert)
    .where(gt(alert.sentAt, new Date(now.getTime() - MIN_INTERVAL_MS)))
  const kinds = ALERT_KINDS.filter((kind) => !recent.some((sent) => sent.kind === kind))
  if (kinds.length === 0) return []
  const taken = await tx
    .update(alert)
    .set({ sentAt: now })
    .where(and(isNull(alert.sentAt), inArray(alert.kind, kinds)))
    .returning({ kind: alert.kind, boardId: alert.boardId, count: alert.count })
  const groups = new Map<AlertKind, AlertGroup>()
  for (const { kind, boardId, count } of taken) {
    const group = groups.get(kind) ?? { kind, counts: new Map() }
    group.counts.set(boardId, (group.counts.get(boardId) ?? 0) + count)
    groups.set(kind, group)
  }
  return [...groups.values()]
}

/** Returns the changes from which the IRC bot learns of alerts, in whichever process it runs. */
const toChanges = (groups: AlertGroup[]): TopicChange[] =>
  groups.flatMap(({ kind, counts }) =>
    [...counts].map(
      ([boardId, count]): TopicChange => ({
        topic: 'moderation',
        change: { kind: 'alert', alert: kind, boardId, count },
      }),
    ),
  )
