import { z } from 'zod'
import { postSurroundingsSchema } from './postContextAnswers.ts'

export const heldPostSchema = postSurroundingsSchema
  .extend({
    id: z.int(),
    boardId: z.string(),
    threadId: z.int(),
    parentId: z.int().nullable(),
    threadTitle: z.string().nullable().describe('title of the thread; null if the thread was deleted'),
    author: z.string(),
    tripcode: z.string().nullable(),
    content: z.string(),
    links: z.array(z.string()),
    hasImage: z.boolean(),
    imageCount: z.int(),
    heldFor: z.string(),
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
