import { escapeXml } from '#server/core/http/escapeXml.ts'
import type { XmlElement } from './parseXml.ts'

/** Nobody has as many links or pictures, and each is work: the rest of a hostile entry is not looked at. */
export const MAX_ALIKE = 20
const MAX_BASES = 5
/** As long as an address may be; each is read again for every link within it. */
const MAX_BASE_LENGTH = 2000

/** Child elements of the names given, in the order of the document, the first twenty. */
export function* childrenNamed(element: XmlElement, ...names: string[]): Generator<XmlElement> {
  let left = MAX_ALIKE
  for (const child of element.children) {
    if (typeof child === 'string' || !names.includes(child.name)) continue
    yield child
    if (--left === 0) return
  }
}

/** Texts of the children of these names that have any: those of the first name first. */
export function* textsOf(element: XmlElement, ...names: string[]): Generator<string> {
  for (const name of names) {
    for (const child of childrenNamed(element, name)) {
      const text = textOf(child).trim()
      if (text !== '') yield text
    }
  }
}

/** All text within an element, as it is after one decoding. */
export function textOf(element: XmlElement): string {
  let text = ''
  for (const child of element.children) text += typeof child === 'string' ? child : textOf(child)
  return text
}

/** An attribute by its local name, under whatever prefix; undefined where it is missing or empty. */
export function attribute(element: XmlElement, name: string): string | undefined {
  const value = element.attributes.get(name)?.trim()
  if (value) return value
  for (const [key, prefixed] of element.attributes) {
    if (key.endsWith(`:${name}`) && prefixed.trim() !== '') return prefixed.trim()
  }
  return undefined
}

export const hasElements = (element: XmlElement) => element.children.some((child) => typeof child !== 'string')

/**
 * What an element contains as a source text of HTML.
 * @param text how its texts are put there: as they are where they are HTML themselves, escaped where they are text
 */
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

/** XHTML may have a prefix, which HTML does not know. */
const localTag = ({ name, tag }: XmlElement) => (name.startsWith('xhtml:') ? name.slice('xhtml:'.length) : tag)

/**
 * What relative addresses within an element begin at: its `xml:base` and those around it, resolved from the outside
 * in; a broken one counts for nothing.
 */
export function baseOf(element: XmlElement, documentBase: URL): URL {
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
