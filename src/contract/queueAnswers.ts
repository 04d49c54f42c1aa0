import { z } from 'zod'
import { banSchema } from './banAnswers.ts'
import { heldPostSchema } from './heldPostAnswers.ts'
import { listedPostSchema } from './listedPostAnswers.ts'
import { reportedItemSchema } from './reportAnswers.ts'

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
export type Queue = z.output<typeof queueSchema>
