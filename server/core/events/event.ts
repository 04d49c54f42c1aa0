import type { Change, StoredTopic } from '#src/contract/events.ts'

export type TopicChange = { topic: StoredTopic; change: Change }

export type PublishedChange = TopicChange & {
  /** number of its row in `event` */
  id: number
  /** the writer's mark from `core/http/visitors.ts`; never stored */
  by?: string | null
}
