import { and, eq, gt, inArray, max, or, sql } from 'drizzle-orm'
import type { Transaction } from '#db/client.server.ts'
import { article, feed as feedTable, type PictureSource } from '#db/schema/index.ts'
import { announce } from '#server/core/events/writeAndPublish.ts'
import type { Feed } from './feed/types.ts'
import { type Candidate, candidatesOf, type KnownArticle, matchArticles, storable } from './matchArticles.ts'

/** Of the name of a feed, which stands in a chip. */
const NAME_LENGTH = 80
const DAY = 24 * 60 * 60 * 1000

/**
 * Stores what a feed lists: what is new, and what it says anew of what is known. An article keeps its number and its
 * date for ever.
 * @returns whether a visitor sees any of it
 */
export async function storeItems(
  tx: Transaction,
  { feedUrl, feed, now }: { feedUrl: string; feed: Feed; now: Date },
): Promise<boolean> {
  const renamedSource = await storeName(tx, feedUrl, feed)
  const candidates = candidatesOf(feed, now)
  if (candidates.length === 0) return renamedSource
  const known = await findKnown(tx, feedUrl, candidates)
  const { added, own, others, renamed } = matchArticles(candidates, known, feedUrl)
  const source = sourceOf(feed, feedUrl)

  const changed = own.filter(({ row, candidate }) => differs(row, { ...candidate, source }))
  await freeNames(tx, [...renamed, ...changed.filter(isRenamed).map(({ row }) => row)])
  for (const { row, candidate } of changed) {
    const { guid, url, urlKey, title } = candidate
    await tx.update(article).set({ guid, url, urlKey, title, source }).where(eq(article.id, row.id))
  }
  await noteSeen(tx, [...own, ...others], now)
  const stored = await insert(tx, added, { feedUrl, source, now })
  return renamedSource || stored > 0 || changed.some(({ row, candidate }) => isVisible(row, { ...candidate, source }))
}

/** Stores what a feed calls itself. @returns whether that is something else than before */
async function storeName(tx: Transaction, feedUrl: string, feed: Feed): Promise<boolean> {
  const name = {
    title: feed.title && (storable(feed.title.slice(0, NAME_LENGTH)) || null),
    source: sourceOf(feed, feedUrl),
  }
  const [known] = await tx
    .select({ title: feedTable.title, source: feedTable.source })
    .from(feedTable)
    .where(eq(feedTable.url, feedUrl))
  if (!known || (known.title === name.title && known.source === name.source)) return false
  await tx.update(feedTable).set(name).where(eq(feedTable.url, feedUrl))
  return true
}

/** Locked in one order, so that two feeds with the same articles wait for each other and not against each other. */
const findKnown = (tx: Transaction, feedUrl: string, candidates: Candidate[]): Promise<KnownArticle[]> =>
  tx
    .select({
      id: article.id,
      feedUrl: article.feedUrl,
      guid: article.guid,
      url: article.url,
      urlKey: article.urlKey,
      title: article.title,
      source: article.source,
      publishedAt: article.publishedAt,
      seenAt: article.seenAt,
    })
    .from(article)
    .where(
      or(
        inArray(
          article.urlKey,
          candidates.map(({ urlKey }) => urlKey),
        ),
        and(
          eq(article.feedUrl, feedUrl),
          inArray(
            article.guid,
            candidates.map(({ guid }) => guid),
          ),
        ),
      ),
    )
    .orderBy(article.id)
    .for('update')

type Said = Pick<KnownArticle, 'guid' | 'url' | 'title' | 'source'>
const isVisible = (row: Said, said: Said) =>
  row.url !== said.url || row.title !== said.title || row.source !== said.source
const differs = (row: Said, said: Said) => isVisible(row, said) || row.guid !== said.guid
const isRenamed = ({ row, candidate }: { row: KnownArticle; candidate: Candidate }) => row.guid !== candidate.guid

/** Names go from one article to another: for a moment they belong to none, as no two may have the same. */
async function freeNames(tx: Transaction, rows: KnownArticle[]): Promise<void> {
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  await tx
    .update(article)
    .set({ guid: sql`'formerly ' || ${article.id}` })
    .where(inArray(article.id, ids))
}

async function noteSeen(
  tx: Transaction,
  found: { row: KnownArticle; candidate: Candidate }[],
  now: Date,
): Promise<void> {
  const ids = found.flatMap(({ row, candidate }) =>
    !candidate.dated && row.seenAt.getTime() <= now.getTime() - DAY ? row.id : [],
  )
  if (ids.length > 0) await tx.update(article).set({ seenAt: now }).where(inArray(article.id, ids))
}

/** A feed that answers that nothing is new still lists what it listed last time. */
export async function noteUnchanged(tx: Transaction, feedUrl: string, now: Date): Promise<void> {
  const undated = and(eq(article.feedUrl, feedUrl), gt(article.seenAt, article.publishedAt))
  const [newest] = await tx
    .select({ seenAt: max(article.seenAt) })
    .from(article)
    .where(undated)
  const last = newest?.seenAt?.getTime()
  if (last === undefined || last > now.getTime() - DAY) return
  // Each is noted to the day, so those of one list were noted within one.
  await tx
    .update(article)
    .set({ seenAt: now })
    .where(and(undated, gt(article.seenAt, new Date(last - DAY))))
}

/** Another feed may bring the same address at this very moment: whoever is first has it. @returns how many are new */
async function insert(
  tx: Transaction,
  added: Candidate[],
  { feedUrl, source, now }: { feedUrl: string; source: string; now: Date },
): Promise<number> {
  if (added.length === 0) return 0
  // Of equal dates the higher number is shown first: that is for the first of the feed.
  const rows = added.toReversed().map(({ guid, url, urlKey, title, images, publishedAt, dated }) => ({
    feedUrl,
    guid,
    url,
    urlKey,
    title,
    source,
    publishedAt,
    seenAt: dated ? publishedAt : now,
    imageUrls: [...images.map((image): PictureSource => ({ url: image })), { url, page: true }],
    imageAt: now,
  }))
  const stored = await tx.insert(article).values(rows).onConflictDoNothing().returning({ id: article.id })
  return stored.length
}

/** Tells whoever keeps or shows news that articles came, went or look different. */
export const announceNews = (tx: Transaction, now: Date) =>
  announce(tx, now, [{ topic: 'news', change: { kind: 'news' } }])

/** The host of the site a feed belongs to, as the chip shows it. */
function sourceOf({ siteUrl }: Pick<Feed, 'siteUrl'>, feedUrl: string): string {
  const hosts = [siteUrl, feedUrl].map((url) => (url && URL.canParse(url) ? new URL(url).hostname : ''))
  const host = hosts.find((one) => one !== '' && one.length <= 253) ?? 'unknown'
  return host.replace(/^www\.(?=.*\.)/, '').replace(/\.$/, '')
}
