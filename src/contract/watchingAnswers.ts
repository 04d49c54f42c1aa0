import { z } from 'zod'

export const threadUpdateSchema = z
  .object({
    id: z.int(),
    boardId: z.string(),
    title: z.string(),
    archived: z.boolean(),
    count: z.int().describe('posts of the thread, with its opening post'),
    newestId: z.int(),
    firstUnreadId: z.int().nullable().describe('the first post after `after`; null if there is none'),
    unread: z
      .array(z.object({ id: z.int(), answers: z.array(z.int()).describe('posts that it quotes or replies to') }))
      .describe('the posts after `after`, newest first, at most 20'),
  })
  .meta({ id: 'ThreadUpdate' })
export type ThreadUpdate = z.output<typeof threadUpdateSchema>

export const threadUpdatesSchema = z.object({
  threads: z.array(threadUpdateSchema).describe('the threads that exist'),
  lastEventId: z.string(),
})
export type ThreadUpdates = z.output<typeof threadUpdatesSchema>
