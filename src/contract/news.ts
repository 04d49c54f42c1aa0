export const ARTICLES_PER_PAGE = 12
/** Far past any last page; asked for more, somebody plays. */
export const MAX_PAGE = 1_000_000
/** An article is shown for so long after it was published. */
export const ARTICLE_DAYS = 60
/** Where news stand, and their Atom feed. */
export const NEWS_PATH = '/today-in-tech'
export const NEWS_FEED_PATH = `${NEWS_PATH}/feed.atom`

export const newsMessages = {
  load: 'Failed to load tech articles. Please try again later.',
  none: 'No articles available at the moment.',
  page: `page must be a whole number from 1 to ${MAX_PAGE}`,
  source: 'source must be the host of a site',
  count: 'count must be a whole number from 1 to 20',
} as const

/** Our own picture for an article that has none, or whose picture does not load. */
export const FALLBACK_PICTURE = { url: '/article.svg', width: 640, height: 360 } as const

export type ArticleView = {
  id: number
  title: string
  /** at its own site */
  url: string
  /** a path on this site, always one: its own picture or the fallback */
  featuredImage: string
  /** pixels of that picture */
  width: number
  height: number
  /** host of the site it comes from, such as `lwn.net` */
  source: string
  /** what the feed calls itself, such as `LWN.net`; the host where it does not say */
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
  /** every source there is something of, by name */
  sources: string[]
  /** what the feed of a source calls itself, where it has one feed that says so */
  sourceTitles: Record<string, string>
}
