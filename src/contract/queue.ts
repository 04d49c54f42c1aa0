import { z } from 'zod'
import { banSchema } from './bans.ts'
import type { QueueTopic } from './events.ts'
import { heldPostSchema } from './heldPosts.ts'
import { listedPostSchema } from './moderation.ts'
import { refusal } from './refusal.ts'
import { reportedItemSchema } from './reports.ts'

/** Items that wait for a moderator. */
export const QUEUE_KINDS = ['report', 'held', 'appeal'] as const
export type QueueKind = (typeof QUEUE_KINDS)[number]

/** Items per call. The page asks again when it has shown them. */
export const QUEUE_ITEMS_PER_CALL = 10

const posterPostSchema = listedPostSchema.extend({ isRemoved: z.boolean() }).meta({ id: 'PosterPost' })
/** A post by the poster of a ban. */
export type PosterPost = z.output<typeof posterPostSchema>

const position = {
  cursor: z.string().describe('continues the list after the item, and identifies it'),
  since: z.date().describe('when the item came into the queue'),
}

export const queueItemSchema = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('report'), ...position, report: reportedItemSchema }),
    z.object({ kind: z.literal('held'), ...position, post: heldPostSchema }),
    z.object({ kind: z.literal('appeal'), ...position, ban: banSchema, posts: z.array(posterPostSchema) }),
  ])
  .meta({ id: 'QueueItem' })
export type QueueItem = z.output<typeof queueItemSchema>

export const queueSchema = z.object({
  items: z
    .array(queueItemSchema)
    .describe(
      'reports of illegal content first, then the oldest; held posts that are published by themselves come last',
    ),
  counts: z.object({ report: z.int(), held: z.int(), appeal: z.int() }).describe('items of each kind, without limits'),
})
/** `lastEventId`: the last event that the list contains */
export type Queue = z.output<typeof queueSchema> & { lastEventId: string }

/** How many items wait for a user. `topic` has the events of changes after `lastEventId`. */
export type Waiting = { count: number; topic: QueueTopic; lastEventId: string }

export const queueInput = z.object({
  /** lists only items of this kind */
  kind: z.enum(QUEUE_KINDS, refusal('moderation.queueKind')).optional(),
  /** lists the items after the one with this cursor */
  after: z
    .string(refusal('failure.cursor'))
    .regex(/^[0-2]\.\d{1,14}\.(report|held|appeal)\.\d{1,15}$/, refusal('failure.cursor'))
    .optional(),
})
