import { toExcerpt, toTitle } from '#server/features/news/feed/content/text.ts'
import { canonicalUrl } from '#server/features/news/feed/content/urls.ts'
import { parseDate } from '#server/features/news/feed/dates/parseDate.ts'
import type { Feed, FeedItem } from '#server/features/news/feed/types.ts'
import { childTexts } from '#server/features/news/feed/xml/nodes.ts'
import type { XmlElement } from '#server/features/news/feed/xml/parseXml.ts'

const MAX_GUID = 1000
const MAX_IMAGES = 4

/** `date` is written in the order of the feed's dates. */
export type ParsedItem = Omit<FeedItem, 'publishedAt'> & { date: string | number | null }

/** Result of a format's parser. An item is null if its entry has no URL. */
export type ParsedFeed = Pick<Feed, 'title' | 'siteUrl' | 'ttl'> & { items: (ParsedItem | null)[] }

/** Candidates for the fields of an item, best first. Evaluated lazily. */
export type EntryFields = {
  guids: Iterable<string>
  urls: Iterable<URL | null>
  titles: Iterable<string>
  /** plain texts; if there is no title, an excerpt becomes the title */
  texts: Iterable<string>
  dates: Iterable<string | number>
  images: Iterable<URL | null>
}

export function toItem(fields: EntryFields): ParsedItem | null {
  const link = findMap(fields.urls, (candidate) => candidate)
  if (!link) return null
  const url = canonicalUrl(link)
  return {
    guid: findMap(fields.guids, toGuid),
    url,
    title: findMap(fields.titles, toTitle) ?? findMap(fields.texts, toExcerpt) ?? urlAsTitle(new URL(url)),
    date: findMap(fields.dates, (date) => parseDate(date) && date),
    images: distinctUrls(fields.images),
  }
}

export function findMap<From, To>(values: Iterable<From>, map: (value: From) => To | null): To | null {
  for (const value of values) {
    const result = map(value)
    if (result) return result
  }
  return null
}

/** Removes NUL, because PostgreSQL rejects it in text. */
const toGuid = (text: string) => text.toWellFormed().replaceAll('\0', '').trim().slice(0, MAX_GUID).toWellFormed()

const urlAsTitle = ({ host, pathname }: URL) => toTitle(`${host}${pathname}`.replace(/\/$/, ''))

function distinctUrls(images: Iterable<URL | null>): string[] {
  const urls = new Set<string>()
  for (const image of images) {
    if (!image) continue
    const url = new URL(image)
    url.hash = ''
    urls.add(url.href)
    if (urls.size === MAX_IMAGES) break
  }
  return [...urls]
}

const HOUR = 60 * 60
const PERIODS = new Map([
  ['hourly', HOUR],
  ['daily', 24 * HOUR],
  ['weekly', 7 * 24 * HOUR],
  ['monthly', 30 * 24 * HOUR],
  ['yearly', 365 * 24 * HOUR],
])

/** Returns the refresh interval in seconds, from `ttl` (in minutes) or the syndication module. */
export function refreshSeconds(channel: XmlElement): number | null {
  const minutes = numberIn(childTexts(channel, 'ttl'))
  if (minutes) return minutes * 60
  const [period = ''] = childTexts(channel, 'sy:updateperiod')
  const seconds = PERIODS.get(period.toLowerCase())
  if (seconds === undefined) return null
  return Math.round(seconds / (numberIn(childTexts(channel, 'sy:updatefrequency')) || 1))
}

function numberIn(texts: Iterable<string>): number {
  for (const text of texts) if (/^\d{1,7}(?:\.\d{1,7})?$/.test(text)) return Number(text)
  return 0
}
