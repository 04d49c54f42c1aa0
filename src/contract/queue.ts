export type { PosterPost, Queue, QueueItem } from './queueAnswers.ts'

/** Items that wait for a moderator. */
export const QUEUE_KINDS = ['report', 'held', 'appeal'] as const
export type QueueKind = (typeof QUEUE_KINDS)[number]

/** Items per call. The page asks again when it has shown them. */
export const QUEUE_ITEMS_PER_CALL = 10
