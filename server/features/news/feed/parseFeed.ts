import { pageUrl } from './content/urls.ts'
import { findDateOrder, parseDate } from './dates/parseDate.ts'
import { parseAtom } from './formats/atom.ts'
import type { ParsedFeed } from './formats/item.ts'
import { parseJsonFeed } from './formats/json.ts'
import { parseRss } from './formats/rss.ts'
import { type Feed, type FeedItem, FeedParseError } from './types.ts'
import { decodeFeed } from './xml/charset.ts'
import { wordSet } from './xml/namespaces.ts'
import { type FeedDocument, parseFeedXml } from './xml/parseXml.ts'

/**
 * Parses RSS 0.9 to 2.0, RDF, Atom or JSON Feed. Detects the format from the content.
 * @param contentType response header, which may name the charset
 * @param url base for relative URLs
 * @throws FeedParseError
 */
export function parseFeed(
  bytes: Uint8Array,
  { contentType, url }: { contentType?: string | undefined; url: URL },
): Feed {
  const text = decodeFeed(bytes, contentType).replace(/^[\s\0\ufeff]+/, '')
  if (text === '') throw new FeedParseError('the response is empty')
  if (text.startsWith('{') || text.startsWith('[')) return toFeed('json', parseJsonFeed(text, url))
  const document = parseXmlFeed(text)
  if (document.kind === 'feed' || document.kind === 'entry') return toFeed('atom', parseAtom(document, url))
  return toFeed(document.kind === 'rdf' ? 'rdf' : 'rss', parseRss(document, url))
}

/** Parses an XML feed. Skips text before the XML declaration, such as a broken server's error messages. */
function parseXmlFeed(text: string): FeedDocument {
  const document = parseFeedXml(text)
  if (document.root) return rejectOtherXml(document)
  const declaration = text.indexOf('<?xml ')
  const later = declaration > 0 ? parseFeedXml(text.slice(declaration)) : document
  if (later.root) return rejectOtherXml(later)
  throw new FeedParseError(describeRoot(later.rootName))
}

function describeRoot(name: string | null): string {
  if (name === null) return 'not a feed: text without markup'
  if (/^(?:html|head|body|title|meta)$/.test(name)) return 'not a feed: a web page'
  return `not a feed: XML that begins with <${name.slice(0, 40)}>`
}

/** A document without a feed namespace must have at least one of these elements. */
const FEED_ELEMENTS = wordSet(`
  title link id updated modified entry item channel description rights copyright subtitle tagline author
  contributor generator icon logo info category image textinput
`)

/** Rejects other XML, such as RDF documents and TV listings, whose root can have the same name as a feed's root. */
function rejectOtherXml(document: FeedDocument): FeedDocument {
  const { root, kind, hasFeedNamespace } = document
  const isFeed =
    kind === 'rss' ||
    hasFeedNamespace ||
    root.children.some((child) => typeof child !== 'string' && FEED_ELEMENTS.has(child.name))
  if (!isFeed) throw new FeedParseError(`not a feed: <${kind}> has no elements of a feed`)
  return document
}

function toFeed(format: Feed['format'], parsed: ParsedFeed): Feed {
  const parsedItems = parsed.items.filter((item) => item !== null)
  const order = findDateOrder(parsedItems.map(({ date }) => date))
  const items = parsedItems.map(({ date, ...item }): FeedItem => ({ ...item, publishedAt: parseDate(date, order) }))
  removeFragments(items)
  clearSharedGuids(items)
  return { ...parsed, format, items, skipped: parsed.items.length - items.length }
}

/** Removes fragments unless they tell the entries of a page apart, because others are for tracking. */
function removeFragments(items: FeedItem[]): void {
  const pages = new Map<string, Set<string>>()
  for (const { url } of items) pages.set(pageUrl(url), (pages.get(pageUrl(url)) ?? new Set()).add(url))
  for (const item of items) if (pages.get(pageUrl(item.url))?.size === 1) item.url = pageUrl(item.url)
}

/** Clears guids that several URLs share, because a guid must identify one item. */
function clearSharedGuids(items: FeedItem[]): void {
  const urls = new Map<string, string>()
  const shared = new Set<string>()
  for (const { guid, url } of items) {
    if (guid === null) continue
    if ((urls.get(guid) ?? url) !== url) shared.add(guid)
    urls.set(guid, url)
  }
  for (const item of items) if (item.guid !== null && shared.has(item.guid)) item.guid = null
}
