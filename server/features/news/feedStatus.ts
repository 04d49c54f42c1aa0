import { count, eq } from 'drizzle-orm'
import { article, feed } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'

export type FeedState = Omit<typeof feed.$inferSelect, 'etag' | 'lastModified' | 'title' | 'source'> & {
  articles: number
}

/** How asking each feed went so far, for the operator. */
export const listFeeds = ({ db }: Pick<Services, 'db'>): Promise<FeedState[]> =>
  db
    .select({
      url: feed.url,
      nextAt: feed.nextAt,
      checkedAt: feed.checkedAt,
      failures: feed.failures,
      failure: feed.failure,
      articles: count(article.id),
    })
    .from(feed)
    .leftJoin(article, eq(article.feedUrl, feed.url))
    .groupBy(feed.url)
    .orderBy(feed.url)
