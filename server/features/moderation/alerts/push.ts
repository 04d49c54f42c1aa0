import { eq } from 'drizzle-orm'
import { moderator, pushSubscription, user } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { deriveVapidKeys } from '#server/core/security/vapid.ts'
import { pushMessage } from '#src/contract/alerts.ts'
import type { AlertKind } from '#src/contract/moderation.ts'

/** `counts`: per board; the key null is the whole site. */
export type AlertGroup = { kind: AlertKind; counts: Map<string | null, number> }

const TIMEOUT_MS = 10_000
const MAX_RESPONSE_BYTES = 16 * 1024
/** A push service drops an alert that it cannot deliver within this time, in seconds. */
const TTL_SECONDS = 12 * 60 * 60
/** Push services answer with these if the browser no longer exists. */
const GONE = [404, 410]

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
      const isAlive = await send(services, subscription, JSON.stringify(pushMessage(kind, count, boardIds)), signal)
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
type Subscription = { endpoint: string; p256dh: string; auth: string }

/** @returns false if the subscription has ended */
async function send(
  { config, fetcher, secrets, log }: Services,
  { endpoint, p256dh, auth }: Subscription,
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
    const { status } = await fetcher.read(new URL(endpoint), {
      body: body ?? Buffer.alloc(0),
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      signal,
      totalMs: TIMEOUT_MS,
      maxBytes: MAX_RESPONSE_BYTES,
      truncate: true,
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
