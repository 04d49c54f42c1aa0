import type { Transaction } from '#db/client.server.ts'
import type { Services } from '#server/core/context.ts'
import { queueWebhooks } from '#server/core/webhooks/queueWebhooks.ts'
import { ALERT_PATH } from '#src/contract/alerts.ts'
import type { AlertGroup } from './push.ts'

/** Stores one call per kind of alert. It names boards and counts, but no content, IP addresses or names. */
export async function queueAlertWebhooks(tx: Transaction, services: Services, groups: AlertGroup[]): Promise<void> {
  const { config, now } = services
  const at = now().toISOString()
  const url = `${config.siteUrl}${ALERT_PATH}`
  const bodies = groups.map(({ kind, counts }) => {
    const count = [...counts.values()].reduce((sum, one) => sum + one, 0)
    const boards = [...counts.keys()].filter((boardId) => boardId !== null)
    return { event: kind, count, boards, at, url }
  })
  await queueWebhooks(tx, services, 'moderation', bodies)
}
