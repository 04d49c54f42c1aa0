import { eq } from 'drizzle-orm'
import { watcher } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { deliverPush } from '#server/core/push/deliverPush.ts'
import { watchMessage } from '#src/contract/watching.ts'
import { type DueAlert, takeDueAlerts } from './dueAlerts.ts'
import { deleteOldWatchers } from './watchers.ts'

/** A popular thread has many watchers, and each push takes a while. */
const AT_ONCE = 10

/** Sends alerts about published posts. An alert is marked as sent first: after a crash it is lost, but never repeated. */
export async function sendWatchAlerts(services: Services, signal: AbortSignal): Promise<void> {
  await deleteOldWatchers(services)
  const alerts = await services.db.transaction((tx) => takeDueAlerts(tx, services.now()))
  for (let at = 0; at < alerts.length; at += AT_ONCE) {
    signal.throwIfAborted()
    await Promise.all(alerts.slice(at, at + AT_ONCE).map((alert) => send(services, alert, signal)))
  }
}

async function send(services: Services, { watcher: browser, news }: DueAlert, signal: AbortSignal): Promise<void> {
  const isAlive = await deliverPush(services, browser, JSON.stringify(watchMessage(news)), signal)
  if (!isAlive) await services.db.delete(watcher).where(eq(watcher.id, browser.id))
}
