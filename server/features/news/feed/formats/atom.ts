import { isUtf8 } from 'node:buffer'
import { findEntryImages } from '#server/features/news/feed/content/media.ts'
import { htmlToText, toTitle } from '#server/features/news/feed/content/text.ts'
import { resolveAbsoluteUrl, resolveUrl } from '#server/features/news/feed/content/urls.ts'
import {
  attribute,
  baseUrlOf,
  childElements,
  childTexts,
  getAlternateLinks,
  getLinks,
  hasChildElements,
  innerHtml,
  textContent,
} from '#server/features/news/feed/xml/nodes.ts'
import type { FeedDocument, XmlElement } from '#server/features/news/feed/xml/parseXml.ts'
import { findMap, type ParsedFeed, type ParsedItem, refreshSeconds, toItem } from './item.ts'

const TITLES = ['title', 'dc:title', 'media:title']
const TEXTS = ['summary', 'content', 'media:description']
const DATES = ['published', 'issued', 'created', 'dc:date', 'dcterms:issued', 'pubdate', 'updated', 'modified']

export function parseAtom({ root, kind, entries }: FeedDocument, url: URL): ParsedFeed {
  // If the document is a single entry, its `source` element describes the feed.
  const [source = null] = kind === 'entry' ? childElements(root, 'source') : [root]
  const site = source && findMap(findPageUrls(source, url), (pageUrl) => pageUrl)
  const base = site ?? url
  return {
    title: source && findMap(plainTexts(source, TITLES), toTitle),
    siteUrl: site?.href ?? null,
    ttl: source && refreshSeconds(source),
    items: entries.map((entry) => parseEntry(entry, base)),
  }
}

function parseEntry(entry: XmlElement, base: URL): ParsedItem | null {
  return toItem({
    guids: childTexts(entry, 'id', 'guid'),
    urls: findEntryUrls(entry, base),
    titles: plainTexts(entry, TITLES),
    texts: plainTexts(entry, TEXTS),
    dates: childTexts(entry, ...DATES),
    images: findEntryImages(entry, base, ['content', 'summary']),
  })
}

function* findPageUrls(element: XmlElement, base: URL): Generator<URL | null> {
  for (const { element: link, href } of getAlternateLinks(element)) yield resolveUrl(href, baseUrlOf(link, base))
}

function* findEntryUrls(entry: XmlElement, base: URL): Generator<URL | null> {
  for (const text of childTexts(entry, 'feedburner:origlink')) yield resolveUrl(text, baseUrlOf(entry, base))
  yield* findPageUrls(entry, base)
  for (const content of childElements(entry, 'content')) {
    // The `src` of media content is the media file, not the entry's page.
    if (!/^(?:image|audio|video)\b/i.test(attribute(content, 'type') ?? '')) {
      yield resolveUrl(attribute(content, 'src'), baseUrlOf(content, base))
    }
  }
  for (const id of childElements(entry, 'id')) yield resolveAbsoluteUrl(textContent(id), base)
  const links = getLinks(entry)
  for (const wanted of ['related', 'via', 'enclosure']) {
    for (const { element, href, rel } of links) if (rel === wanted) yield resolveUrl(href, baseUrlOf(element, base))
  }
}

function* plainTexts(element: XmlElement, names: string[]): Generator<string> {
  for (const name of names) for (const child of childElements(element, name)) yield plainText(child)
}

/**
 * Converts an element to text: plain text, escaped HTML, XHTML or base64. `type` and Atom 0.3's `mode` declare the
 * form.
 */
function plainText(element: XmlElement): string {
  const type = (attribute(element, 'type') ?? '').toLowerCase()
  const mode = attribute(element, 'mode')?.toLowerCase()
  const html = type.includes('html')
  if (mode === 'base64' || isBase64(element, type)) {
    const bytes = Buffer.from(textContent(element), 'base64')
    if (!isUtf8(bytes)) return ''
    return html || !type.startsWith('text/') ? htmlToText(bytes.toString()) : bytes.toString()
  }
  // Child elements are XHTML unless the type is HTML. Escaped markup is HTML even if the type is XHTML.
  if (hasChildElements(element)) return htmlToText(innerHtml(element, type === 'html' ? 'html' : 'text'))
  return html || looksLikeHtml(element, type) ? htmlToText(textContent(element)) : textContent(element)
}

/** Checks the type as in RFC 4287: content is base64 if its type is neither text nor XML. */
const isBase64 = (element: XmlElement, type: string) =>
  type.includes('/') &&
  !/^text\/|\bx?html|\b(?:xml|json)\b/.test(type) &&
  /^[A-Za-z\d+/\s]+=*\s*$/.test(textContent(element))

/** Some feeds omit the type of HTML content. */
const looksLikeHtml = (element: XmlElement, type: string) =>
  type === '' &&
  element.name !== 'title' &&
  /^\s*<(?:p|div|img|a|h\d|ul|table|br|figure|blockquote)\b/i.test(textContent(element))
