import { sql } from 'drizzle-orm'
import type { Change, StoredTopic } from '#src/contract/events.ts'

export type TopicChange = { topic: StoredTopic; change: Change }

export type PublishedChange = TopicChange & {
  /** id of the row in `event` */
  id: number
  /** hash of the visitor (see `core/http/visitors.ts`); never stored */
  by?: string | null
}

/** Ids are assigned before commits. An event can become visible this much later than one with a higher id. */
export const COMMIT_DELAY = sql`interval '10 seconds'`
