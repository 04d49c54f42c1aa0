import type { Change, StoredTopic } from '#src/contract/events.ts'

export type TopicChange = { topic: StoredTopic; change: Change }

export type PublishedChange = TopicChange & {
  /** id of the row in `event` */
  id: number
  /** hash of the visitor (see `core/http/visitors.ts`); never stored */
  by?: string | null
}
