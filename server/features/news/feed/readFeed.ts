import { readAtom } from './formats/atom.ts'
import type { Contents } from './formats/item.ts'
import { readJson } from './formats/json.ts'
import { readRss } from './formats/rss.ts'
import { type Feed, type FeedItem, FeedUnreadable } from './types.ts'
import { decodeFeed } from './xml/charset.ts'
import { type FeedDocument, parseFeedXml } from './xml/parseXml.ts'

/**
 * Reads a feed of any kind (RSS 0.9 to 2.0, RDF, Atom, JSON Feed) from its bytes as they came, by what they are and
 * not by what they are called.
 * @param contentType header of the answer, for its charset
 * @param url where it was read from: relative addresses in it begin there
 * @throws FeedUnreadable
 */
export function readFeed(
  bytes: Uint8Array,
  { contentType, url }: { contentType?: string | undefined; url: URL },
): Feed {
  const text = decodeFeed(bytes, contentType).replace(/^[\s\0\ufeff]+/, '')
  if (text === '') throw new FeedUnreadable('an empty answer')
  if (text.startsWith('{') || text.startsWith('[')) return finish('json', readJson(text, url))
  const document = parseAnywhere(text)
  if (document.kind === 'feed' || document.kind === 'entry') return finish('atom', readAtom(document, url))
  return finish(document.kind === 'rdf' ? 'rdf' : 'rss', readRss(document, url))
}

/** The feed in a text, which may begin with what a broken server has to say. */
function parseAnywhere(text: string): FeedDocument {
  const document = parseFeedXml(text)
  if (document.root) return checked(document)
  const declaration = text.indexOf('<?xml ')
  const later = declaration > 0 ? parseFeedXml(text.slice(declaration)) : document
  if (later.root) return checked(later)
  throw new FeedUnreadable(reason(later.found))
}

function reason(found: string | null): string {
  if (found === null) return 'text without any markup, no feed'
  if (/^(?:html|head|body|title|meta)$/.test(found)) return 'a web page, no feed'
  return `XML, but no feed: it begins with <${found.slice(0, 40)}>`
}

/** Any of these makes a document a feed, whatever namespace it forgot. */
const FIELDS = new Set(
  (
    'title link id updated modified entry item channel description rights copyright subtitle tagline author ' +
    'contributor generator icon logo info category image textinput'
  ).split(' '),
)

/** Other documents have roots of these names: RDF is older than its use for feeds, and a channel may be one of TV. */
function checked(document: FeedDocument): FeedDocument {
  const { root, kind, declared } = document
  const fits =
    kind === 'rss' || declared || root.children.some((child) => typeof child !== 'string' && FIELDS.has(child.name))
  if (!fits) throw new FeedUnreadable(`XML, but no feed: nothing of one stands in <${kind}>`)
  return document
}

function finish(format: Feed['format'], contents: Contents): Feed {
  const items = contents.items.filter((item) => item !== null)
  forgetShared(items)
  return { ...contents, format, items, passedOver: contents.items.length - items.length }
}

/** A name that stands for several addresses names none of them. */
function forgetShared(items: FeedItem[]): void {
  const addresses = new Map<string, string>()
  const shared = new Set<string>()
  for (const { guid, url } of items) {
    if (guid === null) continue
    if ((addresses.get(guid) ?? url) !== url) shared.add(guid)
    addresses.set(guid, url)
  }
  for (const item of items) if (item.guid !== null && shared.has(item.guid)) item.guid = null
}
