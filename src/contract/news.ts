export const ARTICLES_PER_PAGE = 12
/** Higher than any real page number. */
export const MAX_PAGE = 1_000_000
/** Days after publication during which an article is shown. */
export const ARTICLE_DAYS = 60
export const NEWS_PATH = '/today-in-tech'
export const NEWS_FEED_PATH = `${NEWS_PATH}/feed.atom`

export const newsMessages = {
  load: 'Failed to load tech articles. Please try again later.',
  none: 'No articles available at the moment.',
  page: `page must be a whole number from 1 to ${MAX_PAGE}`,
  source: 'source must be the host of a site',
  count: 'count must be a whole number from 1 to 20',
} as const

export const FALLBACK_IMAGE = { url: '/article.svg', width: 640, height: 360 } as const

export type ArticleView = {
  id: number
  title: string
  url: string
  /** a path on this site: the article's image or the fallback */
  featuredImage: string
  width: number
  height: number
  /** host of the source, such as `lwn.net` */
  source: string
  /** title of the feed, such as `LWN.net`, otherwise the host */
  sourceTitle: string
  publishedAt: Date
}

export type Pagination = {
  currentPage: number
  /** at least 1 */
  totalPages: number
  articlesPerPage: number
  totalArticles: number
  hasPrevPage: boolean
  hasNextPage: boolean
}

export type ArticlePage = {
  articles: ArticleView[]
  pagination: Pagination
  sources: string[]
  /** title of the feed, for sources with a single feed that has a title */
  sourceTitles: Record<string, string>
}
