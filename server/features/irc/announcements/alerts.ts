import { ircTexts } from '#server/features/irc/texts.ts'
import { ALERT_PATH, pushMessage } from '#src/contract/alerts.ts'
import type { AlertChange } from '#src/contract/events.ts'
import type { OnChange } from './announcer.ts'

/** Sends alerts of moderators to the staff channel: counts and boards, never content. One line per kind. */
export function createAlertAnnouncer(siteUrl: string, say: (text: string) => void): OnChange {
  const isAlert = (change: { kind: string }): change is AlertChange => change.kind === 'alert'

  return ({ change }, batch) => {
    if (!isAlert(change)) return
    const same = batch.flatMap((other) =>
      isAlert(other.change) && other.change.alert === change.alert ? other.change : [],
    )
    if (same[0] !== change) return
    const count = same.reduce((sum, alert) => sum + alert.count, 0)
    const boards = same.flatMap(({ boardId }) => boardId ?? [])
    const { title, body } = pushMessage(change.alert, count, boards)
    say(ircTexts.alert(title, body, `${siteUrl}${ALERT_PATH}`))
  }
}
