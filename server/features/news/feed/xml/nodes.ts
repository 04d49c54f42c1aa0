import { escapeXml } from '#server/core/http/escapeXml.ts'
import type { XmlElement } from './parseXml.ts'

/** Limits child elements with the same name, because a hostile entry may have thousands. */
export const MAX_SAME_NAME = 20
const MAX_BASES = 5
/** Limits base URLs, because each base is parsed again for every link inside its element. */
const MAX_BASE_LENGTH = 2000

export function* childElements(element: XmlElement, ...names: string[]): Generator<XmlElement> {
  let left = MAX_SAME_NAME
  for (const child of element.children) {
    if (typeof child === 'string' || !names.includes(child.name)) continue
    yield child
    if (--left === 0) return
  }
}

/** Yields the non-empty texts of child elements in the order of `names`. */
export function* childTexts(element: XmlElement, ...names: string[]): Generator<string> {
  for (const name of names) {
    for (const child of childElements(element, name)) {
      const text = textContent(child).trim()
      if (text !== '') yield text
    }
  }
}

export function textContent(element: XmlElement): string {
  let text = ''
  for (const child of element.children) text += typeof child === 'string' ? child : textContent(child)
  return text
}

/** Returns an attribute by its local name, with or without a prefix. Returns undefined if it is missing or empty. */
export function attribute(element: XmlElement, name: string): string | undefined {
  const value = element.attributes.get(name)?.trim()
  if (value) return value
  for (const [key, prefixed] of element.attributes) {
    if (key.endsWith(`:${name}`) && prefixed.trim() !== '') return prefixed.trim()
  }
  return undefined
}

export const hasChildElements = (element: XmlElement) => element.children.some((child) => typeof child !== 'string')

/** @param text `html`: text nodes are HTML and stay unchanged; `text`: they are plain text and get escaped */
export function innerHtml(element: XmlElement, text: 'html' | 'text'): string {
  let html = ''
  for (const child of element.children) {
    if (typeof child === 'string') html += text === 'html' ? child : escapeXml(child)
    else {
      const attributes = [...child.attributes].map(([name, value]) => ` ${name}="${escapeXml(value)}"`).join('')
      html += `<${localTag(child)}${attributes}>${innerHtml(child, text)}${child.closed ? `</${localTag(child)}>` : ''}`
    }
  }
  return html
}

/** Removes the XHTML prefix, because HTML has no prefixes. */
const localTag = ({ name, tag }: XmlElement) => (name.startsWith('xhtml:') ? name.slice('xhtml:'.length) : tag)

/** Resolves the `xml:base` attributes of an element and its ancestors. Ignores invalid attributes. */
export function baseUrlOf(element: XmlElement, documentBase: URL): URL {
  const bases: string[] = []
  for (let at: XmlElement | null = element; at && bases.length < MAX_BASES; at = at.parent) {
    const base = at.attributes.get('xml:base')
    if (base !== undefined && base.length <= MAX_BASE_LENGTH) bases.push(base.trim())
  }
  let resolved = documentBase
  for (const base of bases.reverse()) {
    if (!URL.canParse(base, resolved)) continue
    const next = new URL(base, resolved)
    if (/^https?:$/.test(next.protocol)) resolved = next
  }
  return resolved
}

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
