/**
 * Characters 0x80 to 0x9F in windows-1252. Feeds also write them as numeric entities, such as `&#150;`. TextDecoder is
 * not usable here, because some Node releases decode windows-1252 as ISO 8859-1.
 */
const C1_AS_WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

export const decodeWindows1252 = (code: number): string => C1_AS_WINDOWS[code - 0x80] ?? ''

/** Charsets that servers send by default, even if the document uses another charset. */
const DEFAULT_LABELS = /^(?:us-ascii|ascii|iso[-_]?8859-1|latin1)$/i
const HEAD_BYTES = 1024
const PAGE_HEAD_BYTES = 4096
const HEADER_CHARACTERS = 500

/**
 * Decodes a feed. Takes the charset from the BOM, UTF-16 or UTF-32 byte patterns, the Content-Type header, the XML
 * declaration, or detection, in this order. Invalid bytes become U+FFFD.
 */
export function decodeFeed(bytes: Uint8Array, contentType: string | undefined): string {
  const head = latin1(bytes.subarray(0, HEAD_BYTES))
  return decode(bytes, headerLabel(contentType), /<\?xml\b[^<>]*?\bencoding\s*=\s*["']?\s*([\w.:-]+)/i.exec(head)?.[1])
}

export function decodeHtml(bytes: Uint8Array, contentType: string | undefined): string {
  const head = latin1(bytes.subarray(0, PAGE_HEAD_BYTES))
  return decode(bytes, headerLabel(contentType), /<meta\b[^<>]*?\bcharset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head)?.[1])
}

const headerLabel = (contentType: string | undefined) =>
  /\bcharset\s*=\s*["']?\s*([\w.:-]+)/i.exec((contentType ?? '').slice(0, HEADER_CHARACTERS))?.[1]

function decode(bytes: Uint8Array, header: string | undefined, declared: string | undefined): string {
  const wide = decodeUtf16Or32(bytes)
  if (wide !== undefined) return wide
  const utf8 = decodeUtf8(bytes)
  if (startsWith(bytes, 0xef, 0xbb, 0xbf)) return utf8.text
  const labels = [header, declared].filter((label) => label !== undefined)
  // The document's own declaration is more reliable than a server default.
  if (header && DEFAULT_LABELS.test(header)) labels.reverse()
  for (const label of labels) {
    const encoding = encodingOf(label)
    // decodeUtf16Or32 did not detect UTF-16, so this label is wrong.
    if (encoding === undefined || encoding.startsWith('utf-16')) continue
    if (encoding === 'utf-8') {
      if (utf8.likely) return utf8.text
    } else if (encoding === 'windows-1252') {
      // Non-ASCII text that is valid UTF-8 is almost certainly UTF-8.
      return utf8.likely && utf8.beyondAscii ? utf8.text : windows1252(bytes)
    } else return new TextDecoder(encoding).decode(bytes)
  }
  return utf8.likely ? utf8.text : windows1252(bytes)
}

function decodeUtf16Or32(bytes: Uint8Array): string | undefined {
  if (startsWith(bytes, 0xff, 0xfe, 0, 0)) return utf32(bytes.subarray(4), true)
  if (startsWith(bytes, 0, 0, 0xfe, 0xff)) return utf32(bytes.subarray(4), false)
  if (startsWith(bytes, 0xff, 0xfe)) return new TextDecoder('utf-16le').decode(bytes)
  if (startsWith(bytes, 0xfe, 0xff)) return new TextDecoder('utf-16be').decode(bytes)
  const [a, b, c, d] = bytes
  if (d === undefined) return undefined
  if (a && !b && !c && !d) return utf32(bytes, true)
  if (!a && !b && !c && d) return utf32(bytes, false)
  if (a && !b && c && !d) return new TextDecoder('utf-16le').decode(bytes)
  if (!a && b && !c && d) return new TextDecoder('utf-16be').decode(bytes)
  return undefined
}

const startsWith = (bytes: Uint8Array, ...first: number[]) => first.every((byte, index) => bytes[index] === byte)

/** Decodes UTF-32, because TextDecoder does not support it. */
function utf32(bytes: Uint8Array, littleEndian: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const units = new Uint16Array(Math.floor(bytes.byteLength / 4) * 2)
  let length = 0
  for (let at = 0; at + 4 <= bytes.byteLength; at += 4) {
    const code = view.getUint32(at, littleEndian)
    if (code > 0x10ffff) units[length++] = 0xfffd
    else if (code > 0xffff) {
      units[length++] = 0xd7c0 + (code >> 10)
      units[length++] = 0xdc00 + (code & 0x3ff)
    } else units[length++] = code
  }
  return new TextDecoder('utf-16le').decode(units.subarray(0, length))
}

/**
 * Decodes UTF-8. The result is `likely` UTF-8 if most non-ASCII characters are valid. One truncated character therefore
 * does not change the charset of the whole text.
 */
function decodeUtf8(bytes: Uint8Array): { text: string; likely: boolean; beyondAscii: boolean } {
  const text = new TextDecoder().decode(bytes)
  let valid = 0
  let invalid = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 0xfffd) invalid++
    else if (unit > 0x7f) valid++
  }
  return { text, likely: valid > invalid || invalid === 0, beyondAscii: valid > 0 }
}

function encodingOf(label: string): string | undefined {
  for (const name of [label, label.replaceAll('_', '-'), label.replace(/^cp-?(?=\d)/i, 'windows-')]) {
    try {
      return new TextDecoder(name).encoding
    } catch {
      // Unsupported label: try the next spelling.
    }
  }
  return undefined
}

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')

const windows1252 = (bytes: Uint8Array) =>
  latin1(bytes).replace(/[\u0080-\u009f]/g, (character) => decodeWindows1252(character.charCodeAt(0)))
