import { count, eq } from 'drizzle-orm'
import { article, feed } from '#db/schema/index.ts'
import type { Config } from '#server/core/config/config.ts'
import type { Services } from '#server/core/context.ts'
import type { FeedView, TriedFeed } from '#src/contract/news.ts'
import { fetchFeed, queueForHost } from './fetchFeed.ts'

/** Technology and security sites with original reporting. Used if NEWS_FEEDS is not set. */
const DEFAULT_FEEDS = [
  'https://lwn.net/headlines/rss',
  'https://feeds.arstechnica.com/arstechnica/index',
  'https://www.theregister.com/headlines.atom',
  'https://www.theverge.com/rss/index.xml',
  'https://www.wired.com/feed/rss',
  'https://techcrunch.com/feed/',
  'https://www.404media.co/rss/',
  'https://www.phoronix.com/rss.php',
  'https://hackaday.com/blog/feed/',
  'https://www.eff.org/rss/updates.xml',
  'https://blog.cloudflare.com/rss/',
  'https://krebsonsecurity.com/feed/',
  'https://www.schneier.com/feed/atom/',
  'https://www.bleepingcomputer.com/feed/',
  'https://feeds.feedburner.com/TheHackersNews',
]

export const feedUrls = ({ news }: Pick<Config, 'news'>): string[] => [...new Set(news.feeds ?? DEFAULT_FEEDS)]

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

const NEWEST = 5
const MAX_TITLE = 200

/** Fetches and parses a feed without storing it. The fetcher refuses private IP addresses. */
export async function tryFeed(services: Pick<Services, 'config' | 'fetcher'>, url: string): Promise<TriedFeed> {
  const result = await queueForHost(new URL(url).hostname, () => fetchFeed(services, url))
  if (result.kind === 'failed') return { isRead: false, reason: result.reason }
  // Without validators in the request, a server has no reason to answer 304.
  if (result.kind === 'unchanged') return { isRead: false, reason: 'answered 304' }
  const { format, title, items, skipped } = result.feed
  const time = (date: Date | null) => date?.getTime() ?? Number.NEGATIVE_INFINITY
  return {
    isRead: true,
    url: result.url.href,
    format,
    title,
    entries: items.length,
    skipped,
    withImage: items.filter(({ images }) => images.length > 0).length,
    newest: items
      .toSorted((a, b) => (time(a.publishedAt) === time(b.publishedAt) ? 0 : time(b.publishedAt) - time(a.publishedAt)))
      .slice(0, NEWEST)
      .map((item) => ({
        title: item.title.slice(0, MAX_TITLE).toWellFormed(),
        url: item.url,
        publishedAt: item.publishedAt,
      })),
  }
}
