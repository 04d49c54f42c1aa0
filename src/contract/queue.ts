import { z } from 'zod'
import { banSchema } from './bans.ts'
import type { QueueTopic } from './events.ts'
import { idField, pathNumber } from './fields.ts'
import { listedPostSchema, postSurroundingsSchema, reasonField } from './moderation.ts'
import { bylineFields } from './post.ts'
import { refusal } from './refusal.ts'
import { reportedItemSchema } from './reports.ts'
import { isStorable } from './text.ts'

/** Held posts per call. The page asks again when these are decided. */
export const HELD_POSTS_PER_CALL = 20

/** Why posts are held. Pages show a text for each. */
export const HOLD_CODES = ['switch', 'unsolved', 'repeated', 'raid', 'image'] as const
/** `filter` has the filter's number and value, because it may be deleted before the post is reviewed. */
export type HoldCode = (typeof HOLD_CODES)[number] | `filter ${number}: ${string}`

export const heldByFilter = ({ id, value }: { id: number; value: string }): HoldCode => `filter ${id}: ${value}`

const HELD_BY_FILTER = /^filter (\d+): (.*)$/s

/** Returns the filter that holds a post, or null if another reason does. */
export function readFilterHold(heldFor: string): { id: string; value: string } | null {
  const [, id, value] = HELD_BY_FILTER.exec(heldFor) ?? []
  return id !== undefined && value !== undefined ? { id, value } : null
}

export const heldPostSchema = postSurroundingsSchema
  .extend({
    id: z.int(),
    boardId: z.string(),
    threadId: z.int(),
    parentId: z.int().nullable(),
    threadTitle: z.string().nullable().describe('title of the thread; null if the thread was deleted'),
    ...bylineFields,
    content: z.string(),
    links: z.array(z.string()),
    hasImage: z.boolean(),
    imageCount: z.int(),
    heldFor: z
      .string()
      .describe(`why it waits: ${HOLD_CODES.map((code) => `\`${code}\``).join(', ')}, or \`filter {id}: {value}\``),
    alike: z.int().describe("how many posts are held for the same reason on the moderator's boards, this one included"),
    createdAt: z.date(),
    releaseAt: z
      .date()
      .nullable()
      .describe('when the post is published without a review; null if it waits for a moderator'),
  })
  .meta({ id: 'HeldPost' })
/** A post that waits for a review, as moderators see it. */
export type HeldPostView = z.output<typeof heldPostSchema>

export const heldPostsSchema = z.object({ posts: z.array(heldPostSchema), total: z.int() })
/** Held posts, those without a release first, oldest first. `total` counts all. */
export type HeldPosts = z.output<typeof heldPostsSchema>

export const heldImageSchema = z.object({
  url: z.string().describe('a data URL'),
  width: z.int(),
  height: z.int(),
})
/** A picture that visitors cannot open, as a data URL. */
export type HeldImage = z.output<typeof heldImageSchema>

export const heldPostInput = z.object({ postId: pathNumber })
export const heldImageInput = heldPostInput.extend({
  number: idField(refusal('moderation.heldImageNumber')).default(1).describe('which image of the post, from 1'),
})
export const refuseInput = heldPostInput.extend({ reason: reasonField })
export const refuseAllInput = z.object({
  heldFor: z
    .string(refusal('moderation.heldHeldFor'))
    .min(1, refusal('moderation.heldHeldFor'))
    .refine(isStorable, refusal('moderation.heldHeldFor')),
  reason: reasonField,
})

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
