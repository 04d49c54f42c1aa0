import { z } from 'zod'
import { wholeNumber } from './fields.ts'
import { isWebLink } from './links.ts'
import { refusal } from './refusal.ts'
import { isStorable } from './text.ts'

export const ARTICLES_PER_PAGE = 12
/** Limits page numbers in requests. The news never has this many pages. */
const MAX_PAGE = 1_000_000
/** Limits the age of shown articles, in days. */
export const ARTICLE_DAYS = 60
export const NEWS_PATH = '/today-in-tech'

export const FALLBACK_IMAGE = { url: '/article.svg', width: 640, height: 360 } as const

/** A feed of the settings and its last fetch, for admins. */
export type FeedView = {
  url: string
  /** null until the server has read the feed */
  title: string | null
  articles: number
  checkedAt: Date | null
  /** null until the server knows the feed */
  nextAt: Date | null
  /** failures in a row, and the last one */
  failures: number
  failure: string | null
  /** URL to which the feed has moved permanently; null if it has not */
  movedTo: string | null
}

export const FEED_FORMATS = { rss: 'RSS', rdf: 'RDF', atom: 'Atom', json: 'JSON Feed' } as const

/** A feed that was fetched without storing it. `isRead` is false if it could not be read, for this `reason`. */
export type TriedFeed =
  | { isRead: false; reason: string }
  | {
      isRead: true
      /** URL after redirects */
      url: string
      format: keyof typeof FEED_FORMATS
      title: string | null
      entries: number
      /** entries without a URL */
      skipped: number
      withImage: number
      newest: { title: string; url: string; publishedAt: Date | null }[]
    }

export const articleSchema = z
  .object({
    id: z.int(),
    title: z.string(),
    url: z.string(),
    featuredImage: z.string().describe("a path on this site: the article's image or the fallback"),
    width: z.int(),
    height: z.int(),
    source: z.string().describe('host of the source, such as `lwn.net`'),
    sourceTitle: z.string().describe('feed title, such as `LWN.net`, or the host if the title is unknown'),
    publishedAt: z.date(),
  })
  .meta({ id: 'Article' })
export type ArticleView = z.output<typeof articleSchema>

export const paginationSchema = z
  .object({
    currentPage: z.int(),
    totalPages: z.int().describe('at least 1'),
    articlesPerPage: z.int(),
    totalArticles: z.int(),
    hasPrevPage: z.boolean(),
    hasNextPage: z.boolean(),
  })
  .meta({ id: 'Pagination' })
export type Pagination = z.output<typeof paginationSchema>

export const articlePageSchema = z.object({
  articles: z.array(articleSchema),
  pagination: paginationSchema,
  sources: z.array(z.string()),
  sourceTitles: z
    .record(z.string(), z.string())
    .describe('feed titles by source; only for sources whose only feed has a title'),
})
export type ArticlePage = z.output<typeof articlePageSchema>

export const articlesInput = z.object({
  page: wholeNumber(refusal('news.page', { max: MAX_PAGE }), 1, MAX_PAGE).default(1),
  source: z
    .string(refusal('news.source'))
    .max(255, refusal('news.source'))
    .refine(isStorable, refusal('news.source'))
    .optional(),
})
export type ArticlesInput = z.infer<typeof articlesInput>

export const latestInput = z.object({ count: wholeNumber(refusal('failure.count'), 1, 20) })

export const feedTrial = z.object({
  url: z
    .string(refusal('news.feedUrl'))
    .trim()
    .max(2000, refusal('news.feedUrl'))
    .refine(isWebLink, refusal('news.feedUrl')),
})
