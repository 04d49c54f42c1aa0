import { z } from 'zod'
import { newsMessages } from './news.ts'
import { isStorable } from './text.ts'

export const articlesInput = z.object({
  page: z.int(newsMessages.page).min(1, newsMessages.page).max(1_000_000, newsMessages.page).default(1),
  /** a host; of one there is nothing of, the list is empty */
  source: z.string().max(255).refine(isStorable).optional(),
})
export type ArticlesInput = z.infer<typeof articlesInput>
