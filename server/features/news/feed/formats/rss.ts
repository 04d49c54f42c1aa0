import { alternateLinks, linksOf } from '#server/features/news/feed/content/links.ts'
import { entryImages } from '#server/features/news/feed/content/media.ts'
import { htmlToText, toTitle } from '#server/features/news/feed/content/text.ts'
import { absoluteAddress, webAddress } from '#server/features/news/feed/content/urls.ts'
import { refreshSeconds } from '#server/features/news/feed/dates/ttl.ts'
import type { FeedItem } from '#server/features/news/feed/types.ts'
import {
  attribute,
  baseOf,
  childrenNamed,
  hasElements,
  innerHtml,
  textOf,
  textsOf,
} from '#server/features/news/feed/xml/nodes.ts'
import type { FeedDocument, XmlElement } from '#server/features/news/feed/xml/parseXml.ts'
import { type Contents, first, toItem } from './item.ts'

const TITLES = ['title', 'dc:title', 'atom:title', 'media:title', 'itunes:title']
const TEXTS = [
  'description',
  'content:encoded',
  'encoded',
  'summary',
  'content',
  'atom:summary',
  'atom:content',
  'itunes:summary',
  'itunes:subtitle',
  'googleplay:description',
  'dc:description',
  'media:description',
  'abstract',
  'xhtml:body',
  'xhtml:div',
  'body',
  'fullitem',
]
/** The whole text before the summary, for it is the whole text that has pictures. */
const SHOWN = [
  'content:encoded',
  'encoded',
  'content',
  'atom:content',
  'fullitem',
  'xhtml:body',
  'xhtml:div',
  'body',
  'description',
  'summary',
  'atom:summary',
]
const DATES = [
  'pubdate',
  'dc:date',
  'dcterms:issued',
  'dcterms:created',
  'dcterms:available',
  'dcterms:date',
  'prism:publicationdate',
  'prism:coverdate',
  'atom:published',
  'published',
  'date',
  'atom:updated',
  'updated',
  'dcterms:modified',
]

/** Everything from Netscape's RSS 0.90 to 2.0, with whatever modules; RDF, where the items stand beside the channel. */
export function readRss({ root, entries }: FeedDocument, url: URL): Contents {
  const [channel = root] = childrenNamed(root, 'channel')
  const site = first(addressesOf(channel, url), (address) => address)
  const base = site ?? url
  return {
    title: first(plainTexts(channel, TITLES), toTitle),
    siteUrl: site?.href ?? null,
    ttl: refreshSeconds(channel),
    items: entries.map((entry) => readEntry(entry, base)),
  }
}

function readEntry(entry: XmlElement, base: URL): FeedItem | null {
  return toItem({
    guids: guidsOf(entry),
    addresses: entryAddresses(entry, base),
    titles: plainTexts(entry, TITLES),
    texts: plainTexts(entry, TEXTS),
    dates: textsOf(entry, ...DATES),
    images: entryImages(entry, base, SHOWN),
  })
}

/** Titles and descriptions are HTML, whatever the specification says, and their markup escaped or naked. */
function* plainTexts(element: XmlElement, names: string[]): Generator<string> {
  for (const name of names) {
    for (const child of childrenNamed(element, name)) {
      // Text within XHTML is text.
      if (name.startsWith('xhtml:')) yield htmlToText(innerHtml(child, 'text'))
      else yield htmlToText(hasElements(child) ? innerHtml(child, 'html') : textOf(child))
    }
  }
}

function* guidsOf(entry: XmlElement): Generator<string> {
  yield* textsOf(entry, 'guid')
  const about = attribute(entry, 'about')
  if (about) yield about
  yield* textsOf(entry, 'atom:id', 'id', 'dc:identifier')
}

/** Where a channel or an item leads, by its links. */
function* addressesOf(element: XmlElement, base: URL): Generator<URL | null> {
  for (const link of childrenNamed(element, 'link')) {
    const written = textOf(link).trim() || (attribute(link, 'href') ? undefined : attribute(link, 'resource'))
    yield webAddress(written, baseOf(link, base))
  }
  for (const { element: link, href } of alternateLinks(element)) yield webAddress(href, baseOf(link, base))
}

function* entryAddresses(entry: XmlElement, base: URL): Generator<URL | null> {
  const resolve = (element: XmlElement, written: string | undefined) => webAddress(written, baseOf(element, base))
  // The link itself counts clicks then.
  for (const text of textsOf(entry, 'feedburner:origlink', 'pheedo:origlink')) yield resolve(entry, text)
  yield* addressesOf(entry, base)
  for (const guid of childrenNamed(entry, 'guid')) {
    if (attribute(guid, 'ispermalink')?.toLowerCase() !== 'false') yield absoluteAddress(textOf(guid), base)
  }
  yield absoluteAddress(attribute(entry, 'about'), base)
  yield resolve(entry, entry.attributes.get('href'))
  for (const { element, href, rel } of linksOf(entry))
    if (rel === 'related' || rel === 'via') yield resolve(element, href)
  for (const file of childrenNamed(entry, 'enclosure', 'media:content')) yield resolve(file, attribute(file, 'url'))
  for (const { element, href, rel } of linksOf(entry)) if (rel === 'enclosure') yield resolve(element, href)
}
