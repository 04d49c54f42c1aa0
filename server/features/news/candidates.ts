import { createHash } from 'node:crypto'
import { isWebLink } from '#src/contract/links.ts'
import { ARTICLE_DAYS } from '#src/contract/news.ts'
import type { Feed } from './feed/types.ts'

const DAY = 24 * 60 * 60 * 1000
/** Limits the items per feed, because some feeds list all articles they ever published. */
const MAX_ITEMS = 200
const MAX_TITLE_LENGTH = 400
const MAX_URL_LENGTH = 2000
const MAX_IMAGES = 4

/** Normalized feed item, for comparing and storing. */
export type Candidate = {
  guid: string
  /** false if `guid` was derived from the URL, because the feed has no guid of this item */
  hasGuid: boolean
  urlKey: string
  /** hash of URL, title and date; replaces `urlKey` if the URL belongs to another article */
  itemKey: string
  url: string
  title: string
  images: string[]
  publishedAt: Date
  /** true if the feed has a plausible date for the item */
  dated: boolean
}

export const oldestVisibleDate = (now: Date): Date => new Date(now.getTime() - ARTICLE_DAYS * DAY)

const hash = (text: string) => createHash('sha256').update(text).digest('base64url')

export function hashUrl(url: string): string {
  const { host, pathname, search, hash: fragment } = new URL(url)
  return hash(host + pathname.replace(/\/$/, '') + search + fragment)
}

/**
 * Returns the newest storable items of a feed, each once. Items with the same URL are different articles unless they
 * have the same guid, or the same title and date. An item with a missing or future date gets the current time, minus a
 * millisecond per position to keep the order of the feed.
 */
export function toCandidates({ items }: Pick<Feed, 'items'>, now: Date): Candidate[] {
  const oldest = oldestVisibleDate(now)
  const urlKeys = new Set<string>()
  const itemKeys = new Set<string>()
  const urlKeyOfGuid = new Map<string, string>()
  const byGuid = new Map<string, Candidate>()
  for (const [index, { guid, publishedAt, url, ...item }] of items.entries()) {
    const title = cleanTitle(item.title)
    const dated = publishedAt !== null && publishedAt.getTime() <= now.getTime()
    if (dated && publishedAt < oldest) continue
    if (!title || !isStorableUrl(url)) continue
    const urlKey = hashUrl(url)
    const itemKey = hash(`${urlKey} ${dated ? publishedAt.getTime() : ''} ${title}`)
    if (itemKeys.has(itemKey)) continue
    const hasGuid = guid !== null && (urlKeyOfGuid.get(guid) ?? urlKey) === urlKey
    const ownGuid = hash(hasGuid ? `guid ${guid}` : urlKeys.has(urlKey) ? `item ${itemKey}` : `url ${url}`)
    if (byGuid.has(ownGuid)) continue
    if (hasGuid) urlKeyOfGuid.set(guid, urlKey)
    urlKeys.add(urlKey)
    itemKeys.add(itemKey)
    byGuid.set(ownGuid, {
      guid: ownGuid,
      hasGuid,
      urlKey,
      itemKey,
      url,
      title,
      images: item.images.filter(isStorableUrl).slice(0, MAX_IMAGES),
      // Earlier than `now`, which becomes seenAt: an article is undated if its seenAt is later than its publishedAt.
      publishedAt: dated ? publishedAt : new Date(now.getTime() - 1 - index),
      dated,
    })
  }
  const all = [...byGuid.values()]
  if (all.length <= MAX_ITEMS) return all
  return all.sort((a, b) => b.publishedAt.getTime() - a.publishedAt.getTime()).slice(0, MAX_ITEMS)
}

export const cleanTitle = (title: string) => title.replaceAll('\0', '').slice(0, MAX_TITLE_LENGTH).toWellFormed().trim()

const isStorableUrl = (url: string) => url.length <= MAX_URL_LENGTH && isWebLink(url)
