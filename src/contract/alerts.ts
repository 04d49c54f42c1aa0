import type { AlertKind } from './moderation.ts'

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
