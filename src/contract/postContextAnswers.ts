import { z } from 'zod'
import { labelSchema } from './moderationAnswers.ts'

export const postContextSchema = z
  .object({
    relation: z.enum(['answers', 'quotes', 'opening']),
    id: z.int(),
    author: z.string(),
    excerpt: z.string().describe('the post in one line, cut to 200 characters'),
  })
  .meta({ id: 'PostContext' })
/** The post that a post answers or quotes, else the opening post of its thread. */
export type PostContext = z.output<typeof postContextSchema>

export const postSurroundingsSchema = z.object({
  label: labelSchema,
  context: postContextSchema.nullable().describe('null for opening posts, and if the thread was deleted'),
})
/** The context of a post, for moderators. */
export type PostSurroundings = z.output<typeof postSurroundingsSchema>
