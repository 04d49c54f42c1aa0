import { z } from 'zod'
import { refusal } from './refusal.ts'

/** Events that alert moderators: a new report, a held post, the start of a raid. */
export const ALERT_KINDS = ['report', 'held', 'raid'] as const
export type AlertKind = (typeof ALERT_KINDS)[number]

export const alertLimits = { endpoint: 2000, subscriptionsPerUser: 10 }

/** Where an alert leads to. */
export const ALERT_PATH = '/admin/queue'

/** The notification that a browser shows. Contains no content of posts. */
export type PushMessage = { kind: AlertKind; title: string; body: string; path: string }

const NOUNS: Record<AlertKind, [one: string, several: string]> = {
  report: ['report', 'reports'],
  held: ['held post', 'held posts'],
  raid: ['unusual number of posts', 'unusual numbers of posts'],
}

/** @param boardIds boards that the alert is about; empty for the whole site */
export function pushMessage(kind: AlertKind, count: number, boardIds: string[]): PushMessage {
  const [one, several] = NOUNS[kind]
  const title = kind === 'raid' ? 'Many posts: raid protection is on' : `${count} new ${count === 1 ? one : several}`
  const places = boardIds.slice(0, 5).map((id) => `/${id}/`)
  return { kind, title, body: places.join(', '), path: ALERT_PATH }
}

const endpoint = z
  .string(refusal('board.alertEndpoint'))
  .max(alertLimits.endpoint, refusal('board.alertEndpoint'))
  .pipe(z.url({ protocol: /^https?$/, error: refusal('board.alertEndpoint') }))
const base64url = (bytes: number) =>
  z
    .string(refusal('board.alertKeys'))
    .regex(new RegExp(`^[A-Za-z0-9_-]{${Math.ceil((bytes * 4) / 3)}}={0,2}$`), refusal('board.alertKeys'))

/** The fields of a browser's `PushSubscription`. */
export const subscriptionForm = z.object({
  endpoint,
  keys: z.object({ p256dh: base64url(65), auth: base64url(16) }, refusal('board.alertKeys')),
})
export const unsubscribeForm = z.object({ endpoint })
