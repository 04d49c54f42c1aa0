import { and, eq, gt, inArray, max, or, sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { article, feed as feedTable, type ImageSource } from '#db/schema/index.ts'
import { publish } from '#server/core/events/writeAndPublish.ts'
import { type Candidate, cleanTitle, oldestVisibleDate, toCandidates } from './candidates.ts'
import type { Feed } from './feed/types.ts'
import { type KnownArticle, matchArticles } from './matchArticles.ts'

const MAX_FEED_TITLE_LENGTH = 80
/** Limits the image sources of an article: some feeds write other URLs in each response. */
const MAX_IMAGE_SOURCES = 12
const DAY = 24 * 60 * 60 * 1000

/** Stores the items of a feed. An updated article keeps its id and date. @returns whether visitors can see a change */
export async function storeItems(
  tx: Transaction,
  { feedUrl, feed, now }: { feedUrl: string; feed: Feed; now: Date },
): Promise<boolean> {
  const isTitleChanged = await storeFeedTitle(tx, feedUrl, feed)
  const candidates = toCandidates(feed, now)
  if (candidates.length === 0) return isTitleChanged
  const known = await lockKnownArticles(tx, feedUrl, candidates)
  const { added, own, others, displaced } = matchArticles(candidates, known, feedUrl)
  const source = sourceOf(feed, feedUrl)

  const changed = own.filter(({ row, candidate }) => isChanged(row, { ...candidate, source }))
  await releaseGuids(tx, [...displaced, ...changed.filter(isRenamed).map(({ row }) => row)])
  for (const { row, candidate } of changed) {
    const { guid, url, urlKey, title } = candidate
    await tx.update(article).set({ guid, url, urlKey, title, source }).where(eq(article.id, row.id))
  }
  await addImageSources(tx, own, now)
  await updateSeenAt(tx, [...own, ...others], now)
  const stored = await insertArticles(tx, added, { feedUrl, source, now })
  return (
    isTitleChanged || stored > 0 || changed.some(({ row, candidate }) => isVisibleChange(row, { ...candidate, source }))
  )
}

/** @returns whether the title or the source changed */
async function storeFeedTitle(tx: Transaction, feedUrl: string, feed: Feed): Promise<boolean> {
  const names = {
    title: feed.title && (cleanTitle(feed.title.slice(0, MAX_FEED_TITLE_LENGTH)) || null),
    source: sourceOf(feed, feedUrl),
  }
  const [known] = await tx
    .select({ title: feedTable.title, source: feedTable.source })
    .from(feedTable)
    .where(eq(feedTable.url, feedUrl))
  if (!known || (known.title === names.title && known.source === names.source)) return false
  await tx.update(feedTable).set(names).where(eq(feedTable.url, feedUrl))
  return true
}

/** Locks rows in a fixed order. Otherwise two feeds with the same articles could deadlock. */
function lockKnownArticles(tx: Transaction, feedUrl: string, candidates: Candidate[]): Promise<KnownArticle[]> {
  const keys = candidates.flatMap(({ urlKey, itemKey }) => [urlKey, itemKey])
  const guids = candidates.map(({ guid }) => guid)
  const isOwn = and(eq(article.feedUrl, feedUrl), inArray(article.guid, guids))
  const isKnown = or(inArray(article.urlKey, keys), isOwn)
  return tx.select().from(article).where(isKnown).orderBy(article.id).for('update')
}

type ItemFields = Pick<KnownArticle, 'guid' | 'url' | 'title' | 'source'>
const isVisibleChange = (row: ItemFields, item: ItemFields) =>
  row.url !== item.url || row.title !== item.title || row.source !== item.source
const isChanged = (row: ItemFields, item: ItemFields) => isVisibleChange(row, item) || row.guid !== item.guid
const isRenamed = ({ row, candidate }: { row: KnownArticle; candidate: Candidate }) => row.guid !== candidate.guid

/** Frees guids that move to another article. Otherwise the unique index would reject the update. */
async function releaseGuids(tx: Transaction, rows: KnownArticle[]): Promise<void> {
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  await tx
    .update(article)
    .set({ guid: sql`'formerly ' || ${article.id}` })
    .where(inArray(article.id, ids))
}

/** Lets the next run look for images that a feed has added to articles without one. */
async function addImageSources(
  tx: Transaction,
  matches: { row: KnownArticle; candidate: Candidate }[],
  now: Date,
): Promise<void> {
  for (const { row, candidate } of matches) {
    if (row.imageId !== null || row.publishedAt < oldestVisibleDate(now)) continue
    const known = new Set(row.imageUrls.map(({ url }) => url))
    const added = candidate.images.filter((url) => !known.has(url)).map((url): ImageSource => ({ url }))
    const imageUrls = [...row.imageUrls, ...added].slice(0, MAX_IMAGE_SOURCES)
    if (imageUrls.length > row.imageUrls.length)
      await tx.update(article).set({ imageUrls, imageAt: now }).where(eq(article.id, row.id))
  }
}

async function updateSeenAt(
  tx: Transaction,
  matches: { row: KnownArticle; candidate: Candidate }[],
  now: Date,
): Promise<void> {
  const ids = matches.flatMap(({ row, candidate }) =>
    !candidate.dated && row.seenAt.getTime() <= now.getTime() - DAY ? row.id : [],
  )
  if (ids.length > 0) await tx.update(article).set({ seenAt: now }).where(inArray(article.id, ids))
}

/** Updates seenAt after a 304 response, because the feed still lists the same articles. */
export async function updateUnchangedFeed(tx: Transaction, feedUrl: string, now: Date): Promise<void> {
  const undated = and(eq(article.feedUrl, feedUrl), gt(article.seenAt, article.publishedAt))
  const [newest] = await tx
    .select({ seenAt: max(article.seenAt) })
    .from(article)
    .where(undated)
  const last = newest?.seenAt?.getTime()
  if (last === undefined || last > now.getTime() - DAY) return
  // seenAt is updated at most once a day: articles within a day of the newest seenAt were in the last response.
  await tx
    .update(article)
    .set({ seenAt: now })
    .where(and(undated, gt(article.seenAt, new Date(last - DAY))))
}

/** Inserts articles. Skips articles that another feed stored at the same time. @returns the number of new articles */
async function insertArticles(
  tx: Transaction,
  added: Candidate[],
  { feedUrl, source, now }: { feedUrl: string; source: string; now: Date },
): Promise<number> {
  if (added.length === 0) return 0
  // Insert in reverse: for equal dates, the page shows the highest id first.
  const rows = added.toReversed().map(({ guid, url, urlKey, title, images, publishedAt, dated }) => ({
    feedUrl,
    guid,
    url,
    urlKey,
    title,
    source,
    publishedAt,
    seenAt: dated ? publishedAt : now,
    imageUrls: [...images.map((image): ImageSource => ({ url: image })), { url, page: true }],
    imageAt: now,
  }))
  const stored = await tx.insert(article).values(rows).onConflictDoNothing().returning({ id: article.id })
  return stored.length
}

export const publishNewsChange = (tx: Transaction, now: Date) =>
  publish(tx, now, [{ topic: 'news', change: { kind: 'news' } }])

function sourceOf({ siteUrl }: Pick<Feed, 'siteUrl'>, feedUrl: string): string {
  const [siteHost = '', feedHost = ''] = [siteUrl, feedUrl].map((url) =>
    url && URL.canParse(url) ? new URL(url).hostname : '',
  )
  // Sources are keys of objects. The publisher writes the URL of the site, whose host could be `constructor`.
  const host =
    [siteHost.includes('.') ? siteHost : '', feedHost].find((name) => name && name.length <= 253) ?? 'unknown'
  return host.replace(/^www\.(?=.*\.)/, '').replace(/\.$/, '')
}
