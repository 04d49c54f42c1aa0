import { and, desc, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { moderator, pushSubscription, user } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import type { TopicChange } from '#server/core/events/event.ts'
import { publish } from '#server/core/events/writeAndPublish.ts'
import { takeTokens } from '#server/core/limits/tokenBuckets.ts'
import { insertMessages, type Outlet, queueMessages, takeMessages } from '#server/core/outbox/outbox.ts'
import { queueWebhooks } from '#server/core/outbox/webhooks.ts'
import { checkSubscription, deliverPush, readPushKey } from '#server/core/push/webPush.ts'
import { moderatorProcedure, router } from '#server/core/rpc/procedures.ts'
import {
  ALERT_PATH,
  type AlertKind,
  alertLimits,
  pushMessage,
  subscriptionForm,
  unsubscribeForm,
} from '#src/contract/alerts.ts'

/** @property count how many reports or posts the alert is about */
type Alert = { kind: AlertKind; boardId: string | null; count: number }

/** Stores an alert for the moderators of a board, or for admins if `boardId` is null. All moderators learn of a raid. */
export const alertModerators = (tx: Transaction, now: Date, alert: Alert): Promise<void> =>
  queueMessages(tx, 'moderators', now, [alert])

/** Returns the statement that stores an alert about a post that waits for a review. @param target has its `board_id` */
export const insertHeldAlert = (now: Date, target: SQL): SQL =>
  insertMessages(
    'moderators',
    now,
    sql`select json_build_object('kind', 'held', 'boardId', board_id, 'count', 1) from ${target}`,
  )

/** Moderators get at most one alert per kind in this time. Later ones are added up. */
const MIN_INTERVAL_MS = 60_000

/** Pushes alerts to browsers of moderators, and passes them on to the webhook and the IRC bot. */
export const moderatorOutlet: Outlet<Alert> = {
  target: 'moderators',
  // More wait only in a raid.
  batch: 10_000,
  async send(services, messages, signal) {
    const kinds = await takeKinds(services, new Set(messages.map(({ message }) => message.kind)))
    if (kinds.length === 0) return false
    const { db, now, config } = services
    const groups = await db.transaction(async (tx) => {
      const isTaken = messages.filter(({ message }) => kinds.includes(message.kind))
      const taken = groupByKind(await takeMessages(tx, isTaken))
      await queueWebhooks(tx, services, 'moderation', toWebhookBodies(services, taken))
      // The IRC bot learns of alerts from these changes, in whichever process it runs.
      const changes = taken.flatMap(({ kind, counts }) =>
        [...counts].map(([boardId, count]): TopicChange => {
          return { topic: 'moderation', change: { kind: 'alert', alert: kind, boardId, count } }
        }),
      )
      if (config.irc?.staffChannel) await publish(tx, now(), changes)
      return taken
    })
    await pushAlerts(services, groups, signal)
    return true
  },
}

/** Returns the kinds that moderators may be alerted to again. */
async function takeKinds({ db, now }: Services, kinds: Set<AlertKind>): Promise<AlertKind[]> {
  const taken: AlertKind[] = []
  for (const kind of kinds) {
    const bucket = { key: `alert:${kind}`, costMs: MIN_INTERVAL_MS, capacityMs: MIN_INTERVAL_MS }
    if ((await takeTokens(db, now(), [bucket])) === null) taken.push(kind)
  }
  return taken
}

/** `counts`: per board; the key null is the whole site. */
type AlertGroup = { kind: AlertKind; counts: Map<string | null, number> }

function groupByKind(alerts: Alert[]): AlertGroup[] {
  const groups = new Map<AlertKind, AlertGroup>()
  for (const { kind, boardId, count } of alerts) {
    const { counts } = groups.get(kind) ?? { counts: new Map() }
    counts.set(boardId, (counts.get(boardId) ?? 0) + count)
    groups.set(kind, { kind, counts })
  }
  return [...groups.values()]
}

/** Returns one call per kind of alert. It names boards and counts, but no content, IP addresses or names. */
function toWebhookBodies({ config, now }: Services, groups: AlertGroup[]) {
  const at = now().toISOString()
  const url = `${config.siteUrl}${ALERT_PATH}`
  return groups.map(({ kind, counts }) => {
    const count = [...counts.values()].reduce((sum, one) => sum + one, 0)
    const boards = [...counts.keys()].filter((boardId) => boardId !== null)
    return { event: kind, count, boards, at, url }
  })
}

/**
 * Sends alerts to the browsers of admins and of the boards' moderators. All of them are alerted to a raid. Deletes
 * subscriptions that have ended.
 */
async function pushAlerts(services: Services, groups: AlertGroup[], signal: AbortSignal): Promise<void> {
  const { db } = services
  const subscriptions = await db
    .select({ ...getTableColumns(pushSubscription), role: user.role })
    .from(pushSubscription)
    .innerJoin(user, eq(user.id, pushSubscription.userId))
  if (subscriptions.length === 0) return
  const moderators = await db.select({ userId: moderator.userId, boardId: moderator.boardId }).from(moderator)
  for (const subscription of subscriptions) {
    const boards = moderators.filter(({ userId }) => userId === subscription.userId).map(({ boardId }) => boardId)
    for (const { kind, counts } of groups) {
      const isForAll = subscription.role === 'admin' || kind === 'raid'
      const visible = [...counts].filter(([boardId]) => isForAll || boards.includes(boardId ?? ''))
      if (visible.length === 0) continue
      signal.throwIfAborted()
      const count = visible.reduce((sum, [, one]) => sum + one, 0)
      const boardIds = visible.flatMap(([boardId]) => boardId ?? [])
      const message = JSON.stringify(pushMessage(kind, count, boardIds))
      if (await deliverPush(services, subscription, message, signal)) continue
      await db.delete(pushSubscription).where(eq(pushSubscription.id, subscription.id))
      break
    }
  }
}

export const alertRouter = router({
  key: moderatorProcedure.query(({ ctx }) => readPushKey(ctx)),
  /** Stores a browser that receives alerts. Keeps the newest subscriptions of the user. @throws AppError 400 */
  subscribe: moderatorProcedure.input(subscriptionForm).mutation(async ({ ctx, input }) => {
    checkSubscription(ctx, input)
    const { endpoint, keys } = input
    const values = { userId: ctx.user.id, ...keys, createdAt: ctx.now() }
    await ctx.db.transaction(async (tx) => {
      await tx
        .insert(pushSubscription)
        .values({ endpoint, ...values })
        .onConflictDoUpdate({ target: pushSubscription.endpoint, set: values })
      const { id, userId, createdAt } = pushSubscription
      const own = tx.select({ id }).from(pushSubscription).where(eq(userId, ctx.user.id))
      const oldest = own.orderBy(desc(createdAt), desc(id)).offset(alertLimits.subscriptionsPerUser)
      await tx.delete(pushSubscription).where(inArray(id, oldest))
    })
  }),
  unsubscribe: moderatorProcedure.input(unsubscribeForm).mutation(async ({ ctx, input }) => {
    const isOwn = and(eq(pushSubscription.endpoint, input.endpoint), eq(pushSubscription.userId, ctx.user.id))
    await ctx.db.delete(pushSubscription).where(isOwn)
  }),
})
