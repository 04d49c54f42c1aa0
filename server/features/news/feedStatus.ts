import { count, eq } from 'drizzle-orm'
import { article, feed } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import type { FeedView } from '#src/contract/news.ts'
import { feedUrls } from './defaultFeeds.ts'

/** Lists the fetched feeds, then the feeds of the settings that were not fetched yet. */
export async function listFeeds({ config, db }: Pick<Services, 'config' | 'db'>): Promise<FeedView[]> {
  const fetched = await db
    .select({
      url: feed.url,
      title: feed.title,
      nextAt: feed.nextAt,
      checkedAt: feed.checkedAt,
      failures: feed.failures,
      failure: feed.failure,
      movedTo: feed.movedTo,
      articles: count(article.id),
    })
    .from(feed)
    .leftJoin(article, eq(article.feedUrl, feed.url))
    .groupBy(feed.url)
    .orderBy(feed.url)
  const known = new Set(fetched.map(({ url }) => url))
  const others = feedUrls(config).filter((url) => !known.has(url))
  const unknown = { title: null, articles: 0, checkedAt: null, nextAt: null, failures: 0, failure: null, movedTo: null }
  return [...fetched, ...others.map((url) => ({ url, ...unknown }))]
}
