import { eq } from 'drizzle-orm'
import { moderator, pushSubscription, user } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { deliverPush } from '#server/core/push/webPush.ts'
import { type AlertKind, pushMessage } from '#src/contract/alerts.ts'

/** `counts`: per board; the key null is the whole site. */
export type AlertGroup = { kind: AlertKind; counts: Map<string | null, number> }

/** Sends alerts to the browsers of admins and of the boards' moderators. All of them are alerted to a raid. Deletes subscriptions that have ended. */
export async function pushAlerts(services: Services, groups: AlertGroup[], signal: AbortSignal): Promise<void> {
  const { db } = services
  const subscriptions = await db
    .select({ ...columns, role: user.role })
    .from(pushSubscription)
    .innerJoin(user, eq(user.id, pushSubscription.userId))
  if (subscriptions.length === 0) return
  const moderators = await db.select({ userId: moderator.userId, boardId: moderator.boardId }).from(moderator)
  for (const subscription of subscriptions) {
    const boards = moderators.filter(({ userId }) => userId === subscription.userId).map(({ boardId }) => boardId)
    for (const { kind, counts } of groups) {
      const visible = [...counts].filter(
        ([boardId]) => subscription.role === 'admin' || kind === 'raid' || boards.includes(boardId ?? ''),
      )
      if (visible.length === 0) continue
      signal.throwIfAborted()
      const count = visible.reduce((sum, [, one]) => sum + one, 0)
      const boardIds = visible.flatMap(([boardId]) => boardId ?? [])
      const isAlive = await deliverPush(
        services,
        subscription,
        JSON.stringify(pushMessage(kind, count, boardIds)),
        signal,
      )
      if (isAlive) continue
      await db.delete(pushSubscription).where(eq(pushSubscription.id, subscription.id))
      break
    }
  }
}

const columns = {
  id: pushSubscription.id,
  userId: pushSubscription.userId,
  endpoint: pushSubscription.endpoint,
  p256dh: pushSubscription.p256dh,
  auth: pushSubscription.auth,
}
