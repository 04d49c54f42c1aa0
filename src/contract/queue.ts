import type { BanView } from './bans.ts'
import type { HeldPostView } from './heldPosts.ts'
import type { ReportedItem } from './reports.ts'

/** What waits for a moderator. */
export const QUEUE_KINDS = ['report', 'held', 'appeal'] as const
export type QueueKind = (typeof QUEUE_KINDS)[number]

/** Items per call. The page asks again when it has shown them. */
export const QUEUE_ITEMS_PER_CALL = 10

export const queueMessages = {
  kind: 'Kind must be report, held or appeal',
  after: 'The cursor is not valid',
  load: 'Failed to load the queue',
} as const

/** A post by the poster of a ban. */
export type PosterPost = {
  id: number
  boardId: string
  threadId: number
  author: string
  excerpt: string
  createdAt: Date
  isRemoved: boolean
}

/** `cursor` continues the list after the item, and identifies it. `since` is when it came into the queue. */
export type QueueItem = { cursor: string; since: Date } & (
  | { kind: 'report'; report: ReportedItem }
  | { kind: 'held'; post: HeldPostView }
  | { kind: 'appeal'; ban: BanView; posts: PosterPost[] }
)

/**
 * Reports of illegal content first, then the oldest. Held posts that are published by themselves come last. `counts`
 * has the items of each kind, without limits.
 */
export type Queue = { items: QueueItem[]; counts: Record<QueueKind, number> }
