export type FeedItem = {
  /** null if missing or shared by several items */
  guid: string | null
  /** absolute http or https URL without tracking parameters */
  url: string
  /** plain text in one line, never empty */
  title: string
  /** may be in the future; null if missing or invalid */
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

/** The operator sees this error's message. */
export class FeedParseError extends Error {
  override name = 'FeedParseError'
}
