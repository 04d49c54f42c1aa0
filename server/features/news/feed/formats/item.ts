import { toExcerpt, toTitle } from '#server/features/news/feed/content/text.ts'
import { canonical } from '#server/features/news/feed/content/urls.ts'
import { parseDate } from '#server/features/news/feed/dates/parseDate.ts'
import type { Feed, FeedItem } from '#server/features/news/feed/types.ts'

const MAX_GUID = 1000
const MAX_IMAGES = 4

/** What every format's reader gives; null for an entry that cannot be shown. */
export type Contents = Pick<Feed, 'title' | 'siteUrl' | 'ttl'> & { items: (FeedItem | null)[] }

/** What an entry offers, best first, read no further than needed. */
export type Offer = {
  guids: Iterable<string>
  addresses: Iterable<URL | null>
  /** plain text */
  titles: Iterable<string>
  /** plain text that says what it is about, for where it has no title */
  texts: Iterable<string>
  dates: Iterable<string | number>
  images: Iterable<URL | null>
}

/** What can be shown of an entry: the best of everything it offers; null where it has no address. */
export function toItem(offer: Offer): FeedItem | null {
  const address = first(offer.addresses, (url) => url)
  if (!address) return null
  const url = canonical(address)
  return {
    guid: first(offer.guids, toGuid),
    url,
    title: first(offer.titles, toTitle) ?? first(offer.texts, toExcerpt) ?? nameOf(new URL(url)),
    publishedAt: first(offer.dates, parseDate),
    images: distinct(offer.images),
  }
}

/** The first that becomes something, as what it becomes. */
export function first<From, To>(offered: Iterable<From>, become: (from: From) => To | null): To | null {
  for (const one of offered) {
    const found = become(one)
    if (found) return found
  }
  return null
}

/** No database takes a NUL, and none likes a name without end. */
const toGuid = (text: string) => text.toWellFormed().replaceAll('\0', '').trim().slice(0, MAX_GUID).toWellFormed()

/** Without scheme and closing slash, as people say an address. */
const nameOf = ({ host, pathname }: URL) => toTitle(`${host}${pathname}`.replace(/\/$/, ''))

function distinct(images: Iterable<URL | null>): string[] {
  const found = new Set<string>()
  for (const image of images) {
    if (!image) continue
    const url = new URL(image)
    url.hash = ''
    found.add(url.href)
    if (found.size === MAX_IMAGES) break
  }
  return [...found]
}
