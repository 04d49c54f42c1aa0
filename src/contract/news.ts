export type { ArticlePage, ArticleView, Pagination } from './newsAnswers.ts'

export const ARTICLES_PER_PAGE = 12
/** Limits page numbers in requests. The news never has this many pages. */
export const MAX_PAGE = 1_000_000
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
