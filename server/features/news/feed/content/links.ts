import { attribute, childrenNamed, textOf } from '#server/features/news/feed/xml/nodes.ts'
import type { XmlElement } from '#server/features/news/feed/xml/parseXml.ts'

export type Link = { element: XmlElement; href: string; rel: string; type: string }

const REGISTRY = /^https?:\/\/www\.iana\.org\/assignments\/relation\//

/** Links in the way of Atom, which RSS borrows; a link that does not say what it is leads to the entry itself. */
export function linksOf(element: XmlElement): Link[] {
  const links: Link[] = []
  for (const link of childrenNamed(element, 'link', 'atom:link')) {
    // Without `href` the text is the URL, as in RSS.
    const href = attribute(link, 'href') ?? textOf(link).trim()
    if (href === '') continue
    const rel = (attribute(link, 'rel') ?? 'alternate').toLowerCase().replace(REGISTRY, '')
    links.push({ element: link, href, rel, type: (attribute(link, 'type') ?? '').toLowerCase() })
  }
  return links
}

/** Links to the page, a page for people before one that says nothing, and that before other kinds of the same. */
export function alternateLinks(element: XmlElement): Link[] {
  const rank = ({ type }: Link) => (/html/.test(type) ? 0 : type === '' ? 1 : 2)
  return linksOf(element)
    .filter(({ rel }) => rel === 'alternate')
    .sort((a, b) => rank(a) - rank(b))
}
