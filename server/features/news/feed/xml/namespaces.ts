/**
 * Vocabularies a feed speaks, by the addresses of their namespaces without scheme, `www.` and closing `/` or `#`, as
 * documents write them in all variations.
 */
const VOCABULARIES = new Map([
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

/** None is as long; it is looked up for every element that has its prefix. */
const MAX_ADDRESS = 200

/** What a namespace's address is about, or undefined where it is none a feed reader cares for. */
export function vocabulary(address: string): string | undefined {
  if (address.length > MAX_ADDRESS) return undefined
  const key = address
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
    .replace(/[/#]$/, '')
  return VOCABULARIES.get(key) ?? (key.startsWith('prismstandard.org/namespaces/') ? 'prism' : undefined)
}

/** The prefixes declared on an element, and those of the elements around it. */
export type Scope = { addresses: Map<string, string>; around: Scope | null; depth: number }

/** Every prefix is searched through all of them; deeper declarations are somebody's attack. */
const MAX_SCOPES = 20

/** The namespace a prefix stands for, or undefined where nothing declares it. */
export function addressOf(scope: Scope | null, prefix: string): string | undefined {
  for (let at = scope; at; at = at.around) {
    const address = at.addresses.get(prefix)
    if (address !== undefined) return address
  }
  return undefined
}

const DECLARATION = /^xmlns(?::|$)/

/** The scope within an element: the one around it, unless the element declares something. */
export function scopeOf(attributes: ReadonlyMap<string, string>, around: Scope | null): Scope | null {
  const depth = (around?.depth ?? 0) + 1
  if (depth > MAX_SCOPES) return around
  let addresses: Map<string, string> | undefined
  for (const [name, value] of attributes) {
    if (!DECLARATION.test(name)) continue
    addresses ??= new Map()
    addresses.set(name.slice('xmlns:'.length), value.trim())
  }
  return addresses ? { addresses, around, depth } : around
}

/** `prefix:local`, both in lower case. */
export function splitName(tag: string): [prefix: string, local: string] {
  const name = tag.toLowerCase()
  const colon = name.indexOf(':')
  return colon === -1 ? ['', name] : [name.slice(0, colon), name.slice(colon + 1)]
}

/**
 * One name for an element however a document spells it: local name alone for the format's own vocabulary, else with
 * the usual prefix (`dc:date`). A namespace nobody knows leaves the prefix as it is, so a usual prefix counts for
 * itself where its declaration is missing or wrong.
 * @param own the format's own vocabulary, and the namespace of the root where that is another
 */
export function elementName(
  tag: string,
  scope: Scope | null,
  own: { vocabulary: string; address: string | undefined },
) {
  const [prefix, local] = splitName(tag)
  const address = addressOf(scope, prefix)
  if (address !== undefined && address === own.address) return local
  const known = address === undefined ? undefined : vocabulary(address)
  const spoken = known ?? prefix
  return spoken === '' || spoken === own.vocabulary ? local : `${spoken}:${local}`
}
