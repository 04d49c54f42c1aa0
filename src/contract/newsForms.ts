import { z } from 'zod'
import { isWebLink } from './links.ts'
import { MAX_PAGE, newsMessages } from './news.ts'
import { isStorable } from './storableText.ts'

const wholeNumber = (max: number, message: string) => z.int(message).min(1, message).max(max, message)

export const articlesInput = z.object({
  page: wholeNumber(MAX_PAGE, newsMessages.page).default(1),
  source: z
    .string(newsMessages.source)
    .max(255, newsMessages.source)
    .refine(isStorable, newsMessages.source)
    .optional(),
})
export type ArticlesInput = z.infer<typeof articlesInput>

export const latestInput = z.object({ count: wholeNumber(20, newsMessages.count) })

export const feedTrial = z.object({
  url: z.string(newsMessages.feedUrl).trim().max(2000, newsMessages.feedUrl).refine(isWebLink, newsMessages.feedUrl),
})
