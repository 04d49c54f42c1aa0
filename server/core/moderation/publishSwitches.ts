import type { Transaction } from '#db/client.server.ts'
import { siteSwitch } from '#db/schema/index.ts'
import { publish } from '#server/core/events/writeAndPublish.ts'
import type { SiteSwitch } from '#src/contract/moderation.ts'
import { isOn } from './liveSwitches.ts'
import { type LogActor, writeLog } from './log.ts'
import { describeSwitches } from './switches.ts'

/** Reloads the switches in all processes, marks all pages stale, and shows the notice in open pages. */
export async function publishSwitches(tx: Transaction, now: Date): Promise<void> {
  const rows = await tx.select().from(siteSwitch)
  const texts = describeSwitches(new Set(rows.filter((row) => isOn(row, now)).map(({ name }) => name)))
  await publish(tx, now, [
    { topic: 'moderation', change: { kind: 'switches' } },
    { topic: 'site', change: { kind: 'notice', texts } },
  ])
}

export const logSwitch = (tx: Transaction, now: Date, name: SiteSwitch, on: boolean, actor: LogActor) =>
  writeLog(tx, now, { action: on ? 'switch-on' : 'switch-off', actor, boardId: null, itemId: name })
