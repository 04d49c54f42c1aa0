export type FeedItem = {
  /** null if missing, or if several items share it */
  guid: string | null
  /** absolute, http or https, without tracking parameters */
  url: string
  /** plain text of one line, never empty */
  title: string
  /** may be in the future; null if missing or unreadable */
  publishedAt: Date | null
  /** absolute URLs, best first, without duplicates */
  images: string[]
}

export type Feed = {
  format: 'rss' | 'rdf' | 'atom' | 'json'
  title: string | null
  siteUrl: string | null
  /** refresh interval in seconds */
  ttl: number | null
  items: FeedItem[]
  /** number of entries without a URL */
  skipped: number
}

/** The message is shown to the operator. */
export class FeedParseError extends Error {
  override name = 'FeedParseError'
}
