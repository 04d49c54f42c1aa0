import { z } from 'zod'

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
