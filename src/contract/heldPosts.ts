import { z } from 'zod'
import { idField, pathNumber } from './fields.ts'
import { postSurroundingsSchema, reasonField } from './moderation.ts'
import { bylineFields } from './post.ts'
import { refusal } from './refusal.ts'
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
