import { z } from 'zod'
import { isWebLink } from './links.ts'
import { MAX_PAGE } from './news.ts'
import { refusal } from './refusal.ts'
import { isStorable } from './storableText.ts'

const wholeNumber = (max: number, message: string) => z.int(message).min(1, message).max(max, message)

export const articlesInput = z.object({
  page: wholeNumber(MAX_PAGE, refusal('news.page', { max: MAX_PAGE })).default(1),
  source: z
    .string(refusal('news.source'))
    .max(255, refusal('news.source'))
    .refine(isStorable, refusal('news.source'))
    .optional(),
})
export type ArticlesInput = z.infer<typeof articlesInput>

export const latestInput = z.object({ count: wholeNumber(20, refusal('news.count')) })

export const feedTrial = z.object({
  url: z
    .string(refusal('news.feedUrl'))
    .trim()
    .max(2000, refusal('news.feedUrl'))
    .refine(isWebLink, refusal('news.feedUrl')),
})
