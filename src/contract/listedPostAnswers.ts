import { z } from 'zod'

/** A post in a list for moderators. */
export const listedPostSchema = z.object({
  id: z.int(),
  boardId: z.string(),
  threadId: z.int(),
  author: z.string(),
  excerpt: z.string(),
  createdAt: z.date(),
})
