/** XML 1.0 forbids these characters even when escaped: parsers reject the whole document. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes text for HTML content and quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

/** Escapes text for XML and HTML content and attributes. Removes characters that XML forbids. */
export const escapeXml = (text: string): string => escapeHtml(text.replace(FORBIDDEN, ''))

export const element = (name: string, text: string): string => `<${name}>${escapeXml(text)}</${name}>`

export const emptyElement = (name: string, attributes: Record<string, string>): string =>
  `<${name} ${Object.entries(attributes)
    .map(([key, value]) => `${key}="${escapeXml(value)}"`)
    .join(' ')}/>`
