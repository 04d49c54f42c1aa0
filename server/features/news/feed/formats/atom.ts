import { isUtf8 } from 'node:buffer'
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

const TITLES = ['title', 'dc:title', 'media:title']
const TEXTS = ['summary', 'content', 'media:description']
const DATES = ['published', 'issued', 'created', 'dc:date', 'dcterms:issued', 'pubdate', 'updated', 'modified']

/** Atom 0.3 and 1.0, and an entry alone. */
export function readAtom({ root, kind, entries }: FeedDocument, url: URL): Contents {
  // An entry alone tells of its feed in its source.
  const [source = null] = kind === 'entry' ? childrenNamed(root, 'source') : [root]
  const site = source && first(pageAddresses(source, url), (address) => address)
  const base = site ?? url
  return {
    title: source && first(plainTexts(source, TITLES), toTitle),
    siteUrl: site?.href ?? null,
    ttl: source && refreshSeconds(source),
    items: entries.map((entry) => readEntry(entry, base)),
  }
}

function readEntry(entry: XmlElement, base: URL): FeedItem | null {
  return toItem({
    guids: textsOf(entry, 'id', 'guid'),
    addresses: entryAddresses(entry, base),
    titles: plainTexts(entry, TITLES),
    texts: plainTexts(entry, TEXTS),
    dates: textsOf(entry, ...DATES),
    images: entryImages(entry, base, ['content', 'summary']),
  })
}

function* pageAddresses(element: XmlElement, base: URL): Generator<URL | null> {
  for (const { element: link, href } of alternateLinks(element)) yield webAddress(href, baseOf(link, base))
}

function* entryAddresses(entry: XmlElement, base: URL): Generator<URL | null> {
  for (const text of textsOf(entry, 'feedburner:origlink')) yield webAddress(text, baseOf(entry, base))
  yield* pageAddresses(entry, base)
  for (const content of childrenNamed(entry, 'content')) {
    // What it says stands elsewhere.
    if (!/^(?:image|audio|video)\b/i.test(attribute(content, 'type') ?? '')) {
      yield webAddress(attribute(content, 'src'), baseOf(content, base))
    }
  }
  for (const id of childrenNamed(entry, 'id')) yield absoluteAddress(textOf(id), base)
  const links = linksOf(entry)
  for (const wanted of ['related', 'via', 'enclosure']) {
    for (const { element, href, rel } of links) if (rel === wanted) yield webAddress(href, baseOf(element, base))
  }
}

function* plainTexts(element: XmlElement, names: string[]): Generator<string> {
  for (const name of names) for (const child of childrenNamed(element, name)) yield plainText(child)
}

/** A text by its type: text as it is, HTML escaped, XHTML naked; and the ways of Atom 0.3 to say so. */
function plainText(element: XmlElement): string {
  const type = (attribute(element, 'type') ?? '').toLowerCase()
  const mode = attribute(element, 'mode')?.toLowerCase()
  const html = type.includes('html')
  if (mode === 'base64' || isBase64(element, type)) {
    const bytes = Buffer.from(textOf(element), 'base64')
    if (!isUtf8(bytes)) return ''
    return html || !type.startsWith('text/') ? htmlToText(bytes.toString()) : bytes.toString()
  }
  // Escaped markup is HTML even where its type says XHTML, and naked markup XHTML where no type says so.
  if (hasElements(element)) return htmlToText(innerHtml(element, type === 'html' ? 'html' : 'text'))
  return html || looksLikeHtml(element, type) ? htmlToText(textOf(element)) : textOf(element)
}

/** Content of a type that is neither text nor XML is base64, if it looks like it. */
const isBase64 = (element: XmlElement, type: string) =>
  type.includes('/') &&
  !/^text\/|\bx?html|\b(?:xml|json)\b/.test(type) &&
  /^[A-Za-z\d+/\s]+=*\s*$/.test(textOf(element))

/** A content without a type is text; one that begins with a tag of HTML forgot its type. */
const looksLikeHtml = (element: XmlElement, type: string) =>
  type === '' &&
  element.name !== 'title' &&
  /^\s*<(?:p|div|img|a|h\d|ul|table|br|figure|blockquote)\b/i.test(textOf(element))
