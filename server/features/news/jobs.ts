import { and, asc, inArray, isNotNull, lt, lte, or } from 'drizzle-orm'
import { article, feed } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'
import { feedUrls } from './defaultFeeds.ts'
import { FEED_MS } from './fetchFeed.ts'
import { atHost, byHost, untilOver } from './hostQueue.ts'
import { oldestShown } from './matchArticles.ts'
import { gatherFeed, keepFeeds } from './refreshFeed.ts'
import { announceNews } from './storeArticles.ts'
import { fetchPicture, findWaiting } from './storeImage.ts'

const DAY = 24 * 60 * 60 * 1000
/** An article without a date that its feed has not listed for so long will not come back as new. */
const FORGOTTEN_MS = 3 * DAY
const SWEPT = 200
const PICTURES = 40
const HOSTS = 4

/** ms: for one answer, and after which a run begins nothing more */
export type Bounds = { answerMs: number; runMs: number }
const FEED_BOUNDS: Bounds = { answerMs: FEED_MS, runMs: 5 * 60_000 }
const PICTURE_BOUNDS: Bounds = { answerMs: 15_000, runMs: 2 * 60_000 }

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).hostname : '')

/** Asks every feed whose time has come. */
export async function gatherNews(services: Services, signal: AbortSignal, bounds = FEED_BOUNDS): Promise<void> {
  const urls = feedUrls(services.config)
  if (urls.length === 0) return
  await keepFeeds(services, urls)
  const due = await services.db
    .select({ url: feed.url })
    .from(feed)
    .where(lte(feed.nextAt, services.now()))
    .orderBy(asc(feed.nextAt), asc(feed.url))
  const stop = untilOver(signal, bounds.runMs)
  await byHost(
    due.map(({ url }) => url),
    hostOf,
    { hosts: HOSTS, stop },
    (url) => atHost(hostOf(url), () => gatherFeed(services, url, signal, bounds.answerMs)),
  )
}

/** Gets pictures for articles that wait for one. */
export async function fetchArticleImages(
  services: Services,
  signal: AbortSignal,
  bounds = PICTURE_BOUNDS,
): Promise<void> {
  if (feedUrls(services.config).length === 0) return
  const waiting = await findWaiting(services, PICTURES)
  const search = { signal, totalMs: bounds.answerMs, resting: new Set<string>() }
  let found = 0
  try {
    await byHost(
      waiting,
      ({ imageUrls }) => hostOf(imageUrls[0]?.url ?? ''),
      { hosts: HOSTS, stop: untilOver(signal, bounds.runMs) },
      async (one) => {
        if (await fetchPicture(services, one, search)) found++
      },
    )
  } finally {
    // Once for all, for whoever hears it reads the news anew.
    if (found > 0) await services.db.transaction((tx) => announceNews(tx, services.now()))
  }
}

/**
 * Deletes what is too old to be shown: its picture at once, and the article as soon as its feed could not bring it as
 * new. Rows first, so that what a crash leaves are files without an owner, which are swept.
 */
export async function sweepNews({ db, files, now }: Services, signal: AbortSignal): Promise<void> {
  const forgotten = new Date(now().getTime() - FORGOTTEN_MS)
  const isDone = lt(article.seenAt, forgotten)
  while (!signal.aborted) {
    const old = await db
      .select({ id: article.id, image: article.image, seenAt: article.seenAt })
      .from(article)
      .where(
        and(
          lt(article.publishedAt, oldestShown(now())),
          or(isDone, isNotNull(article.imageId), isNotNull(article.imageAt)),
        ),
      )
      .limit(SWEPT)
    if (old.length === 0) return
    const ids = old.map(({ id }) => id)
    await db.transaction(async (tx) => {
      await tx.delete(article).where(and(inArray(article.id, ids), isDone))
      await tx
        .update(article)
        .set({ image: null, imageId: null, imageAt: null, imageUrls: [] })
        .where(inArray(article.id, ids))
      await announceNews(tx, now())
    })
    await files.remove(old.flatMap(({ image }) => image?.name ?? []))
  }
}
