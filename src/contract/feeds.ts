/** Formats of the feeds that boards, threads and the news have. */
export const feedFormats = ['atom', 'json'] as const
export type FeedFormat = (typeof feedFormats)[number]
export const feedTypes = { atom: 'application/atom+xml', json: 'application/feed+json' } satisfies Record<
  FeedFormat,
  string
>

/** Returns the path or URL of a page's feed. */
export const feedPath = (page: string, format: FeedFormat) => `${page}/feed.${format}`
