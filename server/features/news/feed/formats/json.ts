import { firstImage, isImageFile, isPicture } from '#server/features/news/feed/content/images.ts'
import { htmlToText, toTitle } from '#server/features/news/feed/content/text.ts'
import { absoluteAddress, webAddress } from '#server/features/news/feed/content/urls.ts'
import { type FeedItem, FeedUnreadable } from '#server/features/news/feed/types.ts'
import { MAX_ALIKE } from '#server/features/news/feed/xml/nodes.ts'
import { MAX_ENTRIES } from '#server/features/news/feed/xml/parseXml.ts'
import { type Contents, toItem } from './item.ts'

type Fields = Record<string, unknown>

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const string = (value: unknown): string => (typeof value === 'string' ? value : '')

/**
 * JSON Feed, of any version.
 * @throws FeedUnreadable
 */
export function readJson(text: string, url: URL): Contents {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    throw new FeedUnreadable('JSON that cannot be read')
  }
  const named = isObject(document) && string(document.version).includes('jsonfeed.org')
  if (!isObject(document) || !(named || Array.isArray(document.items))) throw new FeedUnreadable('JSON, but no feed')
  const site = webAddress(string(document.home_page_url), url)
  const items = list(document.items).slice(0, MAX_ENTRIES)
  return {
    title: toTitle(string(document.title)) || null,
    siteUrl: site?.href ?? null,
    ttl: null,
    items: items.map((item) => (isObject(item) ? readEntry(item, site ?? url) : null)),
  }
}

function readEntry(item: Fields, base: URL): FeedItem | null {
  const id = typeof item.id === 'number' ? String(item.id) : string(item.id)
  const html = string(item.content_html)
  return toItem({
    guids: [id],
    addresses: entryAddresses(item, id, base),
    titles: [string(item.title)],
    texts: lazily(
      () => string(item.summary),
      () => string(item.content_text),
      () => htmlToText(html),
    ),
    dates: [item.date_published, item.date_modified].filter(
      (date) => typeof date === 'string' || typeof date === 'number',
    ),
    images: entryImages(item, html, base),
  })
}

const attachmentsOf = (item: Fields) => list(item.attachments).slice(0, MAX_ALIKE)

function* lazily(...texts: (() => string)[]): Generator<string> {
  for (const text of texts) yield text()
}

function* entryAddresses(item: Fields, id: string, base: URL): Generator<URL | null> {
  yield webAddress(string(item.url), base)
  yield webAddress(string(item.external_url), base)
  yield absoluteAddress(id, base)
  for (const attachment of attachmentsOf(item)) {
    if (isObject(attachment)) yield webAddress(string(attachment.url), base)
  }
}

function* entryImages(item: Fields, html: string, base: URL): Generator<URL> {
  for (const named of [item.image, item.banner_image]) {
    const url = webAddress(string(named), base)
    if (url && isPicture(url)) yield url
  }
  for (const attachment of attachmentsOf(item)) {
    if (!isObject(attachment)) continue
    const url = webAddress(string(attachment.url), base)
    if (url && isImageFile(url, string(attachment.mime_type)) && isPicture(url)) yield url
  }
  const shown = firstImage(html, base)
  if (shown) yield shown
}
