import type { Change, StoredTopic } from '#src/contract/live.ts'

/** A change, and where it is told. */
export type Announcement = { topic: StoredTopic; change: Change }

/** A change as every process hears of it. */
export type Numbered = Announcement & {
  id: number
  /** who made it, by the mark of `core/visitors.ts`; never written down */
  by?: string | null
}
