/** URLs are absolute. Texts and `html` are still unescaped. */
export type Feed = {
  /** URL of the HTML page with the same content, below which the feed is */
  page: string
  title: string
  subtitle?: string
  author: string
  entries: FeedEntry[]
}

export type FeedEntry = {
  /** unique and permanent */
  id: string
  url: string
  title: string
  author: string
  published: Date
  updated: Date
  html?: string
  pictures?: { url: string; type: string; bytes: number }[]
}

/** Stands for a name that became empty, because it had only characters that a format forbids. */
export const ANONYMOUS = 'Anonymous'

/** Returns the time of the last change. An empty feed gets the Unix epoch, so that its content stays the same. */
export const lastUpdate = ({ entries }: Feed): Date =>
  new Date(Math.max(0, ...entries.map(({ updated }) => updated.getTime())))
