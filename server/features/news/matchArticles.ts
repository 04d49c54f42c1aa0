import { createHash } from 'node:crypto'
import type { article } from '#db/schema/index.ts'
import { isWebLink } from '#src/contract/links.ts'
import { ARTICLE_DAYS } from '#src/contract/news.ts'
import type { Feed, FeedItem } from './feed/types.ts'

const DAY = 24 * 60 * 60 * 1000
/** Limits the items per feed, because some feeds list all articles they ever published. */
const MAX_ITEMS = 200
const MAX_TITLE_LENGTH = 400
const MAX_URL_LENGTH = 2000
const MAX_IMAGES = 4

/** Normalized feed item, for comparing and storing. */
export type Candidate = {
  guid: string
  urlKey: string
  url: string
  title: string
  images: string[]
  publishedAt: Date
  /** true if the feed has a plausible date for the item */
  dated: boolean
}
export type KnownArticle = Pick<
  typeof article.$inferSelect,
  'id' | 'feedUrl' | 'guid' | 'url' | 'urlKey' | 'title' | 'source' | 'publishedAt' | 'seenAt'
>
export type Matches = {
  added: Candidate[]
  own: { row: KnownArticle; candidate: Candidate }[]
  others: { row: KnownArticle; candidate: Candidate }[]
  /** articles of this feed whose guid now belongs to another item */
  displaced: KnownArticle[]
}

export const oldestVisibleDate = (now: Date): Date => new Date(now.getTime() - ARTICLE_DAYS * DAY)

const hash = (text: string) => createHash('sha256').update(text).digest('base64url')

export function hashUrl(url: string): string {
  const { host, pathname, search, hash: fragment } = new URL(url)
  return hash(host + pathname.replace(/\/$/, '') + search + fragment)
}

/**
 * Returns the newest storable items of a feed, without duplicate URLs. An item with a missing or future date gets the
 * current time, minus a millisecond per position to keep the order of the feed.
 */
export function toCandidates({ items }: Pick<Feed, 'items'>, now: Date): Candidate[] {
  const oldest = oldestVisibleDate(now)
  const guids = new Set<string>()
  const byKey = new Map<string, Candidate>()
  for (const [index, item] of items.entries()) {
    const { publishedAt, url, guid } = item
    const title = cleanTitle(item.title)
    const dated = publishedAt !== null && publishedAt.getTime() <= now.getTime()
    if (dated && publishedAt < oldest) continue
    if (!title || !isStorableUrl(url)) continue
    const urlKey = hashUrl(url)
    if (byKey.has(urlKey)) continue
    const ownGuid = guid !== null && !guids.has(guid) ? hash(`guid ${guid}`) : hash(`url ${url}`)
    if (guid !== null) guids.add(guid)
    // Earlier than `now`, which becomes seenAt: an article is undated if its seenAt is later than its publishedAt.
    const firstSeen = new Date(now.getTime() - 1 - index)
    byKey.set(urlKey, {
      guid: ownGuid,
      urlKey,
      url,
      title,
      images: imagesOf(item),
      publishedAt: dated ? publishedAt : firstSeen,
      dated,
    })
  }
  const all = [...byKey.values()]
  if (all.length <= MAX_ITEMS) return all
  return all.sort((a, b) => b.publishedAt.getTime() - a.publishedAt.getTime()).slice(0, MAX_ITEMS)
}

export const cleanTitle = (title: string) => title.replaceAll('\0', '').slice(0, MAX_TITLE_LENGTH).toWellFormed().trim()

const isStorableUrl = (url: string) => url.length <= MAX_URL_LENGTH && isWebLink(url)

const imagesOf = ({ images }: FeedItem) => images.filter(isStorableUrl).slice(0, MAX_IMAGES)

/** Detects reused guids: the item has an article's guid, but another URL, title and date. */
const isOtherArticle = (row: KnownArticle, { title, dated, publishedAt }: Candidate) =>
  dated && title !== row.title && publishedAt.getTime() !== row.publishedAt.getTime()

/**
 * Matches items with stored articles, first by URL, then by guid. Some feeds number their items from the top, so each
 * new item shifts the guids to other articles.
 * @param known articles with a URL of the candidates, and articles of this feed with a guid of the candidates
 */
export function matchArticles(candidates: Candidate[], known: KnownArticle[], feedUrl: string): Matches {
  const byUrl = new Map(known.map((row) => [row.urlKey, row]))
  const byGuid = new Map(known.filter((row) => row.feedUrl === feedUrl).map((row) => [row.guid, row]))
  const rows = new Map(candidates.map((candidate) => [candidate, byUrl.get(candidate.urlKey)]))
  const matched = new Set(rows.values())
  for (const candidate of candidates) {
    const row = byGuid.get(candidate.guid)
    if (rows.get(candidate) || !row || matched.has(row) || isOtherArticle(row, candidate)) continue
    rows.set(candidate, row)
    matched.add(row)
  }
  const matches: Matches = { added: [], own: [], others: [], displaced: [] }
  const owners = new Map<string, KnownArticle | undefined>()
  for (const [candidate, row] of rows) {
    if (row && row.feedUrl !== feedUrl) {
      matches.others.push({ row, candidate })
      continue
    }
    owners.set(candidate.guid, row)
    if (row) matches.own.push({ row, candidate })
    else matches.added.push(candidate)
  }
  matches.displaced = [...byGuid.values()].filter((row) => owners.has(row.guid) && owners.get(row.guid) !== row)
  return matches
}
