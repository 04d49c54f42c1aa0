export const watchLimits = {
  /** threads that a browser follows, and that one call asks about */
  threads: 50,
  /** unread posts that a call lists per thread, the newest first */
  answers: 20,
  /** replies to own posts that a browser keeps */
  replies: 50,
  /** own posts of a browser that gets alerts about replies */
  posts: 100,
  /** a browser that has not visited the site for this time gets no more alerts */
  renewDays: 90,
  /** length of the excerpt in an alert, in characters */
  excerpt: 120,
} as const

/** The notification of an alert. A later one of the same `kind` and thread replaces it. */
export type WatchMessage = { kind: string; title: string; body: string; path: string }

type WatchedNews = { threadId: number; title: string; excerpt: string; path: string; isReply: boolean }

export const watchMessage = ({ threadId, title, excerpt, path, isReply }: WatchedNews): WatchMessage => ({
  kind: `thread-${threadId}`,
  title: isReply ? `Reply to you: ${title}` : `New post: ${title}`,
  body: excerpt,
  path,
})
