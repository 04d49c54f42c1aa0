import { findFirstImage, isArticleImage, isImageFile } from '#server/features/news/feed/content/images.ts'
import { htmlToText, toTitle } from '#server/features/news/feed/content/text.ts'
import { resolveAbsoluteUrl, resolveUrl } from '#server/features/news/feed/content/urls.ts'
import { FeedParseError } from '#server/features/news/feed/types.ts'
import { MAX_SAME_NAME } from '#server/features/news/feed/xml/nodes.ts'
import { MAX_ENTRIES } from '#server/features/news/feed/xml/parseXml.ts'
import { type ParsedFeed, type ParsedItem, toItem } from './item.ts'

type Fields = Record<string, unknown>

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const string = (value: unknown): string => (typeof value === 'string' ? value : '')

/** @throws FeedParseError */
export function parseJsonFeed(text: string, url: URL): ParsedFeed {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    throw new FeedParseError('invalid JSON')
  }
  const hasVersion = isObject(document) && string(document.version).includes('jsonfeed.org')
  if (!isObject(document) || !(hasVersion || Array.isArray(document.items))) {
    throw new FeedParseError('not a feed: JSON without items')
  }
  const site = resolveUrl(string(document.home_page_url), url)
  const items = list(document.items).slice(0, MAX_ENTRIES)
  return {
    title: toTitle(string(document.title)) || null,
    siteUrl: site?.href ?? null,
    ttl: null,
    items: items.map((item) => (isObject(item) ? parseEntry(item, site ?? url) : null)),
  }
}

function parseEntry(item: Fields, base: URL): ParsedItem | null {
  const id = typeof item.id === 'number' ? String(item.id) : string(item.id)
  const html = string(item.content_html)
  return toItem({
    guids: [id],
    urls: findEntryUrls(item, id, base),
    titles: [string(item.title)],
    texts: lazily(
      () => string(item.summary),
      () => string(item.content_text),
      () => htmlToText(html),
    ),
    dates: [item.date_published, item.date_modified].filter(
      (date) => typeof date === 'string' || typeof date === 'number',
    ),
    images: findEntryImages(item, html, base),
  })
}

const getAttachments = (item: Fields) => list(item.attachments).slice(0, MAX_SAME_NAME)

function* lazily(...texts: (() => string)[]): Generator<string> {
  for (const text of texts) yield text()
}

function* findEntryUrls(item: Fields, id: string, base: URL): Generator<URL | null> {
  yield resolveUrl(string(item.url), base)
  yield resolveUrl(string(item.external_url), base)
  yield resolveAbsoluteUrl(id, base)
  for (const attachment of getAttachments(item)) {
    if (isObject(attachment)) yield resolveUrl(string(attachment.url), base)
  }
}

function* findEntryImages(item: Fields, html: string, base: URL): Generator<URL> {
  for (const named of [item.image, item.banner_image]) {
    const url = resolveUrl(string(named), base)
    if (url && isArticleImage(url)) yield url
  }
  for (const attachment of getAttachments(item)) {
    if (!isObject(attachment)) continue
    const url = resolveUrl(string(attachment.url), base)
    if (url && isImageFile(url, string(attachment.mime_type)) && isArticleImage(url)) yield url
  }
  const shown = findFirstImage(html, base)
  if (shown) yield shown
}
