/** One entry of a feed that can be shown. */
export type FeedItem = {
  /** the feed's own name for it; null where it has none, or gives the same to several */
  guid: string | null
  /** absolute, http or https, canonical: without what only counts clicks */
  url: string
  /** plain text of one line, never empty */
  title: string
  /** as the feed says, in the future too; null where it says nothing that can be read */
  publishedAt: Date | null
  /** absolute addresses of its pictures, best first, each once */
  images: string[]
}

export type Feed = {
  format: 'rss' | 'rdf' | 'atom' | 'json'
  title: string | null
  /** the site the feed belongs to, absolute */
  siteUrl: string | null
  /** seconds the feed asks to be left alone */
  ttl: number | null
  /** in the order of the feed */
  items: FeedItem[]
  /** entries that cannot be shown, for want of an address */
  passedOver: number
}

/** Bytes that are no feed; the message says why, for the operator. */
export class FeedUnreadable extends Error {
  override name = 'FeedUnreadable'
}
