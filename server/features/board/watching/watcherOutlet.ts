import { eq } from 'drizzle-orm'
import { watcher } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { takeMessages } from '#server/core/outbox/outbox.ts'
import type { Outlet } from '#server/core/outbox/outboxJob.ts'
import { deliverPush } from '#server/core/push/webPush.ts'
import { watchMessage } from '#src/contract/watching.ts'
import { type DueAlert, findDueAlerts } from './dueAlerts.ts'
import type { PublishedPost } from './watchQueue.ts'

/** A popular thread has many watchers, and each push takes a while. */
const AT_ONCE = 10

/** Pushes alerts about published posts to the browsers that watch them. */
export const watcherOutlet: Outlet<PublishedPost> = {
  target: 'watchers',
  batch: 100,
  async send(services, messages, signal) {
    const alerts = await services.db.transaction(async (tx) => {
      const taken = await takeMessages(tx, messages)
      const ids = taken.map(({ postId }) => postId)
      return findDueAlerts(tx, ids, services.now())
    })
    for (let at = 0; at < alerts.length; at += AT_ONCE) {
      signal.throwIfAborted()
      await Promise.all(alerts.slice(at, at + AT_ONCE).map((alert) => push(services, alert, signal)))
    }
    return true
  },
}

async function push(services: Services, { watcher: browser, news }: DueAlert, signal: AbortSignal): Promise<void> {
  const isAlive = await deliverPush(services, browser, JSON.stringify(watchMessage(news)), signal)
  if (!isAlive) await services.db.delete(watcher).where(eq(watcher.id, browser.id))
}
