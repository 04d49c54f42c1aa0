import { findEntryImages } from '#server/features/news/feed/content/media.ts'
import { htmlToText, toTitle } from '#server/features/news/feed/content/text.ts'
import { resolveAbsoluteUrl, resolveUrl } from '#server/features/news/feed/content/urls.ts'
import { splitWords } from '#server/features/news/feed/xml/namespaces.ts'
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

const TITLES = ['title', 'dc:title', 'atom:title', 'media:title', 'itunes:title']
const TEXTS = splitWords(`
  description content:encoded encoded summary content atom:summary atom:content itunes:summary itunes:subtitle
  googleplay:description dc:description media:description abstract xhtml:body xhtml:div body fullitem
`)
/** Full texts come before summaries, because summaries often lack the images. */
const TEXTS_WITH_IMAGES = splitWords(`
  content:encoded encoded content atom:content fullitem xhtml:body xhtml:div body description summary atom:summary
`)
const DATES = splitWords(`
  pubdate dc:date dcterms:issued dcterms:created dcterms:available dcterms:date prism:publicationdate
  prism:coverdate atom:published published date atom:updated updated dcterms:modified
`)

/** Parses RSS 0.90 to 2.0 and RDF. In RDF, items are siblings of the channel. */
export function parseRss({ root, entries }: FeedDocument, url: URL): ParsedFeed {
  const [channel = root] = childElements(root, 'channel')
  const site = findMap(findLinkedUrls(channel, url), (linkedUrl) => linkedUrl)
  const base = site ?? url
  return {
    title: findMap(plainTexts(channel, TITLES), toTitle),
    siteUrl: site?.href ?? null,
    ttl: refreshSeconds(channel),
    items: entries.map((entry) => parseEntry(entry, base)),
  }
}

function parseEntry(entry: XmlElement, base: URL): ParsedItem | null {
  return toItem({
    guids: findGuids(entry),
    urls: findEntryUrls(entry, base),
    titles: plainTexts(entry, TITLES),
    texts: plainTexts(entry, TEXTS),
    dates: childTexts(entry, ...DATES),
    images: findEntryImages(entry, base, TEXTS_WITH_IMAGES),
  })
}

/** Converts elements to plain text. In practice, RSS titles and descriptions are HTML, escaped or not. */
function* plainTexts(element: XmlElement, names: string[]): Generator<string> {
  for (const name of names) {
    for (const child of childElements(element, name)) {
      // In XHTML, text nodes are plain text, not escaped HTML.
      if (name.startsWith('xhtml:')) yield htmlToText(innerHtml(child, 'text'))
      else yield htmlToText(hasChildElements(child) ? innerHtml(child, 'html') : textContent(child))
    }
  }
}

function* findGuids(entry: XmlElement): Generator<string> {
  yield* childTexts(entry, 'guid')
  const about = attribute(entry, 'about')
  if (about) yield about
  yield* childTexts(entry, 'atom:id', 'id', 'dc:identifier')
}

function* findLinkedUrls(element: XmlElement, base: URL): Generator<URL | null> {
  for (const link of childElements(element, 'link')) {
    const written = textContent(link).trim() || (attribute(link, 'href') ? undefined : attribute(link, 'resource'))
    yield resolveUrl(written, baseUrlOf(link, base))
  }
  for (const { element: link, href } of getAlternateLinks(element)) yield resolveUrl(href, baseUrlOf(link, base))
}

function* findEntryUrls(entry: XmlElement, base: URL): Generator<URL | null> {
  const resolve = (element: XmlElement, written: string | undefined) => resolveUrl(written, baseUrlOf(element, base))
  // If these elements exist, they have the article's URL, and `link` is a click tracker.
  for (const text of childTexts(entry, 'feedburner:origlink', 'pheedo:origlink')) yield resolve(entry, text)
  yield* findLinkedUrls(entry, base)
  for (const guid of childElements(entry, 'guid')) {
    if (attribute(guid, 'ispermalink')?.toLowerCase() !== 'false') yield resolveAbsoluteUrl(textContent(guid), base)
  }
  yield resolveAbsoluteUrl(attribute(entry, 'about'), base)
  yield resolve(entry, entry.attributes.get('href'))
  for (const { element, href, rel } of getLinks(entry))
    if (rel === 'related' || rel === 'via') yield resolve(element, href)
  for (const file of childElements(entry, 'enclosure', 'media:content')) yield resolve(file, attribute(file, 'url'))
  for (const { element, href, rel } of getLinks(entry)) if (rel === 'enclosure') yield resolve(element, href)
}
