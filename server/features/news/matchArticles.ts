import { createHash } from 'node:crypto'
import type { article } from '#db/schema/index.ts'
import { isWebLink } from '#src/contract/links.ts'
import { ARTICLE_DAYS } from '#src/contract/news.ts'
import type { Feed, FeedItem } from './feed/types.ts'

const DAY = 24 * 60 * 60 * 1000
/** Guards the database: some feeds list everything they ever had. */
const ITEMS = 200
const TITLE_LENGTH = 400
const URL_LENGTH = 2000
const PICTURES = 4

/** An item as it is compared and stored. */
export type Candidate = {
  guid: string
  urlKey: string
  url: string
  title: string
  images: string[]
  publishedAt: Date
  /** its feed says when it was published */
  dated: boolean
}
export type KnownArticle = Pick<
  typeof article.$inferSelect,
  'id' | 'feedUrl' | 'guid' | 'url' | 'urlKey' | 'title' | 'source' | 'publishedAt' | 'seenAt'
>
export type Matches = {
  added: Candidate[]
  /** of this feed, with what it says of them now */
  own: { row: KnownArticle; candidate: Candidate }[]
  /** of another feed that has the same address */
  others: { row: KnownArticle; candidate: Candidate }[]
  /** of this feed: what they are called is another article's name now */
  renamed: KnownArticle[]
}

/** Published before this, an article is neither stored nor shown. */
export const oldestShown = (now: Date): Date => new Date(now.getTime() - ARTICLE_DAYS * DAY)

const hash = (text: string) => createHash('sha256').update(text).digest('base64url')

/** The same for addresses that differ in http or https and a slash at the end alone. */
export function urlKeyOf(url: string): string {
  const { host, pathname, search, hash: fragment } = new URL(url)
  return hash(host + pathname.replace(/\/$/, '') + search + fragment)
}

/**
 * The items of a feed that can be stored, each address once, the newest. One without a date, or with one that is yet
 * to come, was published when it is first seen: a little apart, for the first of a feed is its newest.
 */
export function candidatesOf({ items }: Pick<Feed, 'items'>, now: Date): Candidate[] {
  const oldest = oldestShown(now)
  const names = new Set<string>()
  const byKey = new Map<string, Candidate>()
  for (const [index, item] of items.entries()) {
    const { publishedAt, url, guid } = item
    const title = storable(item.title)
    const dated = publishedAt !== null && publishedAt.getTime() <= now.getTime()
    if (dated && publishedAt < oldest) continue
    if (!title || !isFit(url)) continue
    const urlKey = urlKeyOf(url)
    if (byKey.has(urlKey)) continue
    // A name belongs to the first that has it, whatever the feed does.
    const own = guid !== null && !names.has(guid) ? hash(`guid ${guid}`) : hash(`url ${url}`)
    if (guid !== null) names.add(guid)
    // Always before now: an article that was seen after it was published is one without a date.
    const sighting = new Date(now.getTime() - 1 - index)
    byKey.set(urlKey, {
      guid: own,
      urlKey,
      url,
      title,
      images: picturesOf(item),
      publishedAt: dated ? publishedAt : sighting,
      dated,
    })
  }
  const all = [...byKey.values()]
  if (all.length <= ITEMS) return all
  return all.sort((a, b) => b.publishedAt.getTime() - a.publishedAt.getTime()).slice(0, ITEMS)
}

export const storable = (title: string) => title.replaceAll('\0', '').slice(0, TITLE_LENGTH).toWellFormed().trim()

/** Whether an address can be stored, and be a link of a page of ours. */
const isFit = (url: string) => url.length <= URL_LENGTH && isWebLink(url)

const picturesOf = ({ images }: FeedItem) => images.filter(isFit).slice(0, PICTURES)

/** What has the name of an article but neither its address nor its title nor its date only got its name after it. */
const isAnother = (row: KnownArticle, { title, dated, publishedAt }: Candidate) =>
  dated && title !== row.title && publishedAt.getTime() !== row.publishedAt.getTime()

/**
 * Finds which items are articles that are there already: by address first, for there are feeds that number their
 * items from the top and so give every name to another article each time; then by the feed's own name for them.
 * @param known those that have an address or, in this feed, a name of the candidates
 */
export function matchArticles(candidates: Candidate[], known: KnownArticle[], feedUrl: string): Matches {
  const byUrl = new Map(known.map((row) => [row.urlKey, row]))
  const byGuid = new Map(known.filter((row) => row.feedUrl === feedUrl).map((row) => [row.guid, row]))
  const found = new Map(candidates.map((candidate) => [candidate, byUrl.get(candidate.urlKey)]))
  const claimed = new Set(found.values())
  for (const candidate of candidates) {
    const row = byGuid.get(candidate.guid)
    if (found.get(candidate) || !row || claimed.has(row) || isAnother(row, candidate)) continue
    found.set(candidate, row)
    claimed.add(row)
  }
  const matches: Matches = { added: [], own: [], others: [], renamed: [] }
  const names = new Map<string, KnownArticle | undefined>()
  for (const [candidate, row] of found) {
    if (row && row.feedUrl !== feedUrl) {
      matches.others.push({ row, candidate })
      continue
    }
    names.set(candidate.guid, row)
    if (row) matches.own.push({ row, candidate })
    else matches.added.push(candidate)
  }
  matches.renamed = [...byGuid.values()].filter((row) => names.has(row.guid) && names.get(row.guid) !== row)
  return matches
}
