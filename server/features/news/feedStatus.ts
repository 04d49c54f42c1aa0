import { count, eq } from 'drizzle-orm'
import { article, feed } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'

export type FeedStatus = Omit<typeof feed.$inferSelect, 'etag' | 'lastModified' | 'title' | 'source'> & {
  articles: number
}

export const listFeedStatus = ({ db }: Pick<Services, 'db'>): Promise<FeedStatus[]> =>
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
