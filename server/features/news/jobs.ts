import { and, asc, inArray, isNotNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { article, feed } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { forEachConcurrently } from '#server/core/storage/forEachConcurrently.ts'
import { oldestVisibleDate } from './candidates.ts'
import { feedUrls } from './feeds.ts'
import { FEED_TIMEOUT_MS, queueForHost } from './fetchFeed.ts'
import { refreshFeed, syncFeeds } from './refreshFeed.ts'
import { publishNewsChange } from './storeArticles.ts'
import { findArticlesWithoutImage, storeArticleImage } from './storeImage.ts'

const DAY = 24 * 60 * 60 * 1000
/** Keeps articles for three days after they leave the feed. If one returns without a date, it must not look new. */
const UNLISTED_MS = 3 * DAY
const DELETE_BATCH = 200
const IMAGE_BATCH = 40
/** Feeds or articles of a run, most of different hosts. */
const AT_ONCE = 4

/** Limits in ms: `answerMs` for each response; after `runMs`, a run starts no further feeds or articles. */
export type RunLimits = { answerMs: number; runMs: number }
const FEED_LIMITS: RunLimits = { answerMs: FEED_TIMEOUT_MS, runMs: 5 * 60_000 }
const IMAGE_LIMITS: RunLimits = { answerMs: 15_000, runMs: 2 * 60_000 }

function createDeadline(signal: AbortSignal, milliseconds: number): () => boolean {
  const end = performance.now() + milliseconds
  return () => signal.aborted || performance.now() > end
}

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).hostname : '')

const hasFeeds = ({ config }: Pick<Services, 'config'>) => feedUrls(config).length > 0

/** Returns the query of the time at which the next feed is due. */
export const nextFeed = (services: Pick<Services, 'config'>): SQL | null =>
  hasFeeds(services) ? sql`select min(${feed.nextAt}) from ${feed}` : null

/** Returns the query of the time at which the next image of an article is due. */
export const nextArticleImage = (services: Pick<Services, 'config'>): SQL | null =>
  hasFeeds(services) ? sql`select min(${article.imageAt}) from ${article}` : null

export async function refreshFeeds(services: Services, signal: AbortSignal, limits = FEED_LIMITS): Promise<void> {
  const urls = feedUrls(services.config)
  if (urls.length === 0) return
  await syncFeeds(services, urls)
  const due = await services.db
    .select()
    .from(feed)
    .where(lte(feed.nextAt, services.now()))
    .orderBy(asc(feed.nextAt), asc(feed.url))
  const isOver = createDeadline(signal, limits.runMs)
  await tryEach(due, (row) =>
    queueForHost(hostOf(row.url), async () => {
      if (!isOver()) await refreshFeed(services, row, signal, limits.answerMs)
    }),
  )
}

export async function fetchArticleImages(
  services: Services,
  signal: AbortSignal,
  limits = IMAGE_LIMITS,
): Promise<void> {
  if (!hasFeeds(services)) return
  const articles = await findArticlesWithoutImage(services, IMAGE_BATCH)
  const search = { signal, totalMs: limits.answerMs, pausedHosts: new Set<string>() }
  const isOver = createDeadline(signal, limits.runMs)
  let stored = 0
  try {
    await tryEach(articles, async (item) => {
      if (!isOver() && (await storeArticleImage(services, item, search))) stored++
    })
  } finally {
    // Publish one event for all images, because clients reload the news after each event.
    if (stored > 0) await services.db.transaction((tx) => publishNewsChange(tx, services.now()))
  }
}

/** One feed or article that fails keeps no others from their turn. @throws the first error, after all were tried */
async function tryEach<T>(items: T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const errors: unknown[] = []
  await forEachConcurrently(items, AT_ONCE, (item) => work(item).catch((error) => errors.push(error)))
  if (errors.length > 0) throw errors[0]
}

/** Deletes rows before files. If a crash leaves files without a row, the cleanup job deletes them. */
export async function deleteOldArticles({ db, files, now }: Services, signal: AbortSignal): Promise<void> {
  const isUnlisted = lt(article.seenAt, new Date(now().getTime() - UNLISTED_MS))
  while (!signal.aborted) {
    const old = await db
      .select({ id: article.id, image: article.image, seenAt: article.seenAt })
      .from(article)
      .where(
        and(
          lt(article.publishedAt, oldestVisibleDate(now())),
          or(isUnlisted, isNotNull(article.imageId), isNotNull(article.imageAt)),
        ),
      )
      .limit(DELETE_BATCH)
    if (old.length === 0) return
    const ids = old.map(({ id }) => id)
    await db.transaction(async (tx) => {
      await tx.delete(article).where(and(inArray(article.id, ids), isUnlisted))
      await tx
        .update(article)
        .set({ image: null, imageId: null, imageAt: null, imageUrls: [] })
        .where(inArray(article.id, ids))
      await publishNewsChange(tx, now())
    })
    await files.remove(old.flatMap(({ image }) => image?.name ?? []))
  }
}
