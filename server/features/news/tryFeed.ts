import type { Services } from '#server/core/context.ts'
import type { TriedFeed } from '#src/contract/news.ts'
import { fetchFeed } from './fetchFeed.ts'
import { queueForHost } from './hostQueue.ts'

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
