/** A parsed element; `text` does not include the text of children. */
export type XmlElement = { name: string; attributes: Record<string, string>; children: XmlElement[]; text: string }

const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u
const TOKEN = /<([A-Za-z][\w:.-]*)((?:\s+[\w:.-]+="[^"<]*")*)\s*(\/?)>|<\/([A-Za-z][\w:.-]*)>|[^<]+/y
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/**
 * Parses XML more strictly than feed readers do. Allows only a declaration, elements, attributes and text.
 * @throws Error at the first syntax error
 */
export function parseXml(source: string): XmlElement {
  const forbidden = FORBIDDEN.exec(source)
  if (forbidden) throw new Error(`U+${forbidden[0].codePointAt(0)?.toString(16)} is not allowed in XML`)
  const declaration = /^<\?xml version="1\.0" encoding="(?:utf|UTF)-8"\?>\s*/.exec(source)
  if (!declaration) throw new Error('XML declaration missing')
  const top: XmlElement = { name: '', attributes: {}, children: [], text: '' }
  const open = [top]
  TOKEN.lastIndex = declaration[0].length
  while (TOKEN.lastIndex < source.length) {
    const at = TOKEN.lastIndex
    const token = TOKEN.exec(source)
    const parent = open.at(-1)
    if (!token || !parent) throw new Error(`Not well-formed at: ${source.slice(at, at + 60)}`)
    const [text, begun, attributes = '', closed, ended] = token
    if (begun) {
      const element = { name: begun, attributes: readAttributes(attributes), children: [], text: '' }
      parent.children.push(element)
      if (!closed) open.push(element)
    } else if (ended) {
      if (open.pop()?.name !== ended) throw new Error(`</${ended}> without a start tag`)
    } else parent.text += readText(text)
  }
  const [root, ...more] = top.children
  if (open.length !== 1 || !root || more.length > 0 || top.text.trim())
    throw new Error('Not exactly one complete root element')
  return root
}

function readAttributes(source: string): Record<string, string> {
  const attributes: Record<string, string> = {}
  for (const [, name = '', value = ''] of source.matchAll(/([\w:.-]+)="([^"]*)"/g)) {
    if (name in attributes) throw new Error(`Duplicate attribute ${name}`)
    attributes[name] = readText(value)
  }
  return attributes
}

const readText = (source: string) =>
  source.replace(/&([^;]*;?)/g, (written, reference: string) => {
    const [, decimal] = /^#(\d+);$/.exec(reference) ?? []
    const known = decimal ? String.fromCodePoint(Number(decimal)) : ENTITIES[reference.slice(0, -1)]
    if (known === undefined || !reference.endsWith(';')) throw new Error(`Invalid reference: ${written}`)
    return known
  })

/** Returns all descendants with the given name, in document order. */
export const findAll = (element: XmlElement, name: string): XmlElement[] =>
  element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...findAll(child, name)])

/** Returns the text of the first child with the given name, or an empty string. */
export const childText = (element: XmlElement, name: string): string =>
  element.children.find((child) => child.name === name)?.text ?? ''
