export const splitWords = (text: string): string[] => text.trim().split(/\s+/)

export const wordSet = (text: string): ReadonlySet<string> => new Set(splitWords(text))

/** HTML elements without an end tag. Some descriptions contain them unescaped. */
const VOID_ELEMENTS = new Set(['br', 'hr', 'img', 'wbr', 'input'])

export const isVoidElement = (tag: string) => VOID_ELEMENTS.has(tag)

export const isEntry = (name: string) => name === 'item' || name === 'entry'

/** Elements that contain only a value, never another field. */
export const VALUES = wordSet(`
  title link guid id pubdate published updated issued modified created comments dc:date dc:title
  feedburner:origlink
`)

export const TEXTS: ReadonlySet<string> = new Set(['description', 'content:encoded', 'summary', 'content'])

/** Entries and their elements. If one starts inside a VALUES element, the parser closes that element. */
export const FIELDS: ReadonlySet<string> = new Set([
  ...VALUES,
  ...TEXTS,
  ...splitWords(`
    item entry category author dc:creator dc:subject enclosure source media:content media:thumbnail media:group
  `),
])

/** Fields that are never part of an HTML text, because HTML has no elements with these names. */
export const NEVER_IN_TEXT = wordSet('guid pubdate item content:encoded enclosure dc:date dc:creator')

/**
 * Maps namespace URIs to their usual prefixes. The keys omit the scheme, `www.` and a trailing `/` or `#`, because
 * feeds write these parts differently.
 */
const CANONICAL_PREFIXES = new Map([
  ['purl.org/rss/1.0', 'rss'],
  ['purl.org/net/rss1.1', 'rss'],
  ['my.netscape.com/rdf/simple/0.9', 'rss'],
  ['channel.netscape.com/rdf/simple/0.9', 'rss'],
  ['my.netscape.com/publish/formats/rss-0.91.dtd', 'rss'],
  ['backend.userland.com/rss', 'rss'],
  ['backend.userland.com/rss091', 'rss'],
  ['backend.userland.com/rss2', 'rss'],
  ['blogs.law.harvard.edu/tech/rss', 'rss'],
  ['cyber.law.harvard.edu/rss', 'rss'],
  ['w3.org/2005/atom', 'atom'],
  ['purl.org/atom/ns', 'atom'],
  ['purl.org/atom', 'atom'],
  ['example.com/newformat', 'atom'],
  ['w3.org/1999/02/22-rdf-syntax-ns', 'rdf'],
  ['purl.org/dc/elements/1.0', 'dc'],
  ['purl.org/dc/elements/1.1', 'dc'],
  ['purl.org/dc/terms', 'dcterms'],
  ['purl.org/rss/1.0/modules/content', 'content'],
  ['purl.org/rss/1.0/modules/syndication', 'sy'],
  ['search.yahoo.com/mrss', 'media'],
  ['search.yahoo.com/rss', 'media'],
  ['video.search.yahoo.com/mrss', 'media'],
  ['itunes.com/dtds/podcast-1.0.dtd', 'itunes'],
  ['example.com/dtds/podcast-1.0.dtd', 'itunes'],
  ['google.com/schemas/play-podcasts/1.0', 'googleplay'],
  ['rssnamespace.org/feedburner/ext/1.0', 'feedburner'],
  ['pheedo.com/namespace/pheedo', 'pheedo'],
  ['w3.org/1999/xhtml', 'xhtml'],
])

/** Limits URI lengths, because canonicalPrefix processes the URI for every element that uses its prefix. */
const MAX_URI_LENGTH = 200

export function canonicalPrefix(uri: string): string | undefined {
  if (uri.length > MAX_URI_LENGTH) return undefined
  const key = uri
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
    .replace(/[/#]$/, '')
  return CANONICAL_PREFIXES.get(key) ?? (key.startsWith('prismstandard.org/namespaces/') ? 'prism' : undefined)
}

export type Scope = { uris: Map<string, string>; parent: Scope | null; depth: number }

/** Limits nested scopes, because the parser may search all scopes for each prefix. Deeper declarations are ignored. */
const MAX_SCOPES = 20

export function namespaceOf(scope: Scope | null, prefix: string): string | undefined {
  for (let at = scope; at; at = at.parent) {
    const uri = at.uris.get(prefix)
    if (uri !== undefined) return uri
  }
  return undefined
}

const DECLARATION = /^xmlns(?::|$)/

export function scopeOf(attributes: ReadonlyMap<string, string>, parent: Scope | null): Scope | null {
  const depth = (parent?.depth ?? 0) + 1
  if (depth > MAX_SCOPES) return parent
  let uris: Map<string, string> | undefined
  for (const [name, value] of attributes) {
    if (!DECLARATION.test(name)) continue
    uris ??= new Map()
    uris.set(name.slice('xmlns:'.length), value.trim())
  }
  return uris ? { uris, parent, depth } : parent
}

export function splitName(tag: string): [prefix: string, local: string] {
  const name = tag.toLowerCase()
  const colon = name.indexOf(':')
  return colon === -1 ? ['', name] : [name.slice(0, colon), name.slice(colon + 1)]
}

/**
 * Returns an element's name. For the feed's own format, this is the local name. For other formats, it has the usual
 * prefix: `dc:date`. Unknown and undeclared namespaces keep the document's prefix, which is often the usual one.
 * @param own prefix of the feed's format, and namespace URI of the root
 */
export function canonicalName(tag: string, scope: Scope | null, own: { prefix: string; uri: string | undefined }) {
  const [writtenPrefix, local] = splitName(tag)
  const uri = namespaceOf(scope, writtenPrefix)
  if (uri !== undefined && uri === own.uri) return local
  const prefix = (uri === undefined ? undefined : canonicalPrefix(uri)) ?? writtenPrefix
  return prefix === '' || prefix === own.prefix ? local : `${prefix}:${local}`
}
