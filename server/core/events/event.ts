import type { Change, StoredTopic } from '#src/contract/events.ts'

export type TopicChange = { topic: StoredTopic; change: Change }

export type PublishedChange = TopicChange & {
  /** number of its row in `event` */
  id: number
  /** hash of the visitor (`core/http/visitors.ts`), never stored */
  by?: string | null
}
