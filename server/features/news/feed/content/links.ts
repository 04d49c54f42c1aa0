import { attribute, childElements, textContent } from '#server/features/news/feed/xml/nodes.ts'
import type { XmlElement } from '#server/features/news/feed/xml/parseXml.ts'

export type Link = { element: XmlElement; href: string; rel: string; type: string }

const REGISTRY = /^https?:\/\/www\.iana\.org\/assignments\/relation\//

/** Returns Atom links. RSS feeds use them too. A link without `rel` is an alternate link. */
export function getLinks(element: XmlElement): Link[] {
  const links: Link[] = []
  for (const link of childElements(element, 'link', 'atom:link')) {
    // In RSS, the URL is the element's text.
    const href = attribute(link, 'href') ?? textContent(link).trim()
    if (href === '') continue
    const rel = (attribute(link, 'rel') ?? 'alternate').toLowerCase().replace(REGISTRY, '')
    links.push({ element: link, href, rel, type: (attribute(link, 'type') ?? '').toLowerCase() })
  }
  return links
}

export function getAlternateLinks(element: XmlElement): Link[] {
  const rank = ({ type }: Link) => (/html/.test(type) ? 0 : type === '' ? 1 : 2)
  return getLinks(element)
    .filter(({ rel }) => rel === 'alternate')
    .sort((a, b) => rank(a) - rank(b))
}
