import { asc } from 'drizzle-orm'
import { article, event, feed } from '#db/schema/index.ts'
import { fetchArticleImages, refreshFeeds } from '#server/features/news/jobs.ts'
import { type FeedServer, startFeedServer } from './feedServer.ts'
import { startSite, type TestSite } from './site.ts'
import { listStoredFiles } from './storageSnapshot.ts'

export const NOON = new Date('2026-11-21T12:00:00Z')
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export const afterNoon = (milliseconds: number) => new Date(NOON.getTime() + milliseconds)

export type NewsSite = {
  site: TestSite
  server: FeedServer
  /** URL of a path on the feed server */
  urlOf: (path: string) => string
  refreshFeeds: (limits?: { answerMs?: number; runMs?: number; signal?: AbortSignal }) => Promise<void>
  fetchImages: (limits?: { answerMs?: number; runMs?: number; signal?: AbortSignal }) => Promise<void>
  /** all articles, in display order */
  articles: () => Promise<(typeof article.$inferSelect)[]>
  feed: (path: string) => Promise<typeof feed.$inferSelect>
  /** number of stored news events */
  eventCount: () => Promise<number>
  /** deletes all feeds, articles, images and events */
  clear: () => Promise<void>
  close: () => Promise<void>
}

/**
 * Starts a site whose feeds are on a local server. The site's clock stands still at noon.
 * @param paths paths on the feed server, or URLs
 */
export async function startNewsSite(paths: string[], env: Record<string, string> = {}): Promise<NewsSite> {
  const server = await startFeedServer()
  const urlOf = (path: string) => (path.startsWith('/') ? `${server.url}${path}` : path)
  const site = await startSite({
    NEWS_FEEDS: paths.map(urlOf).join(','),
    ALLOW_PRIVATE_NETWORK: 'on',
    SITE_URL: 'https://dtp.example',
    ...env,
  })
  site.setNow(NOON)
  const { services } = site.app
  const never = new AbortController().signal
  return {
    site,
    server,
    urlOf,
    refreshFeeds: ({ answerMs = 5_000, runMs = 30_000, signal = never } = {}) =>
      refreshFeeds(services, signal, { answerMs, runMs }),
    fetchImages: ({ answerMs = 5_000, runMs = 30_000, signal = never } = {}) =>
      fetchArticleImages(services, signal, { answerMs, runMs }),
    articles: async () =>
      (await services.db.select().from(article).orderBy(asc(article.id))).toSorted(
        (a, b) => b.publishedAt.getTime() - a.publishedAt.getTime() || b.id - a.id,
      ),
    feed: async (path) => {
      const row = (await services.db.select().from(feed)).find(({ url }) => url === urlOf(path))
      if (!row) throw new Error(`There is no feed ${path}`)
      return row
    },
    eventCount: async () => (await services.db.select().from(event)).filter(({ topic }) => topic === 'news').length,
    clear: async () => {
      await services.db.delete(feed)
      await services.db.delete(event)
      await services.files.remove(await listStoredFiles(site))
      server.requests.splice(0)
      site.setNow(NOON)
    },
    close: async () => {
      await site.close()
      await server.close()
    },
  }
}
