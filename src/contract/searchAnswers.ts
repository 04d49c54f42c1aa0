import { z } from 'zod'
import { imageFileSchema } from './imageAnswers.ts'

const searchHitSchema = z
  .object({
    boardId: z.string(),
    threadId: z.int(),
    postId: z.int(),
    title: z.string().describe('title of the thread'),
    author: z.string(),
    createdAt: z.date(),
    excerpt: z.string().describe('a part of the post in one line, around the first match; spoilers are hidden'),
    picture: imageFileSchema.nullable().describe('a small version of the image; null also for a spoiler'),
    spoiler: z.boolean().describe('the post has an image that is covered until the reader uncovers it'),
  })
  .meta({ id: 'SearchHit' })
/** A post that a search found. */
export type SearchHit = z.output<typeof searchHitSchema>

export const searchPageSchema = z.object({
  hits: z.array(searchHitSchema),
  nextCursor: z.string().nullable().describe('`cursor` of the next page, or null on the last page'),
  isComplete: z.boolean().describe('false if older posts may match that the search does not list'),
})
export type SearchPage = z.output<typeof searchPageSchema>
