/**
 * What windows-1252 has at 0x80 to 0x9F, and what numeric character references to these mean in practice. By hand,
 * for the TextDecoder of some Node releases reads windows-1252 as ISO 8859-1.
 */
const C1_AS_WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** The character at one of the 32 places from 0x80 on where ISO 8859-1 has controls, and windows-1252 characters. */
export const windowsCharacter = (code: number): string => C1_AS_WINDOWS[code - 0x80] ?? ''

/** Servers say these of what they know nothing about, and ISO 8859-1 itself is what nobody writes. */
const DEFAULT_LABELS = /^(?:us-ascii|ascii|iso[-_]?8859-1|latin1)$/i
const HEAD_BYTES = 1024
const PAGE_HEAD_BYTES = 4096
const HEADER_CHARACTERS = 500

/**
 * Bytes of a feed as text: BOM, shape of the first bytes, header, XML declaration, then what the bytes allow.
 * Never fails; bytes that fit nothing become U+FFFD.
 */
export function decodeFeed(bytes: Uint8Array, contentType: string | undefined): string {
  const head = latin1(bytes.subarray(0, HEAD_BYTES))
  return decode(bytes, headerLabel(contentType), /<\?xml\b[^<>]*?\bencoding\s*=\s*["']?\s*([\w.:-]+)/i.exec(head)?.[1])
}

/** Bytes of a web page as text, in the same way, with what its `meta` says in place of the XML declaration. */
export function decodePage(bytes: Uint8Array, contentType: string | undefined): string {
  const head = latin1(bytes.subarray(0, PAGE_HEAD_BYTES))
  return decode(bytes, headerLabel(contentType), /<meta\b[^<>]*?\bcharset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head)?.[1])
}

const headerLabel = (contentType: string | undefined) =>
  /\bcharset\s*=\s*["']?\s*([\w.:-]+)/i.exec((contentType ?? '').slice(0, HEADER_CHARACTERS))?.[1]

function decode(bytes: Uint8Array, header: string | undefined, declared: string | undefined): string {
  const wide = decodeWide(bytes)
  if (wide !== undefined) return wide
  const utf8 = readUtf8(bytes)
  if (startsWith(bytes, 0xef, 0xbb, 0xbf)) return utf8.text
  const labels = [header, declared].filter((label) => label !== undefined)
  // A default says less than what the document says of itself.
  if (header && DEFAULT_LABELS.test(header)) labels.reverse()
  for (const label of labels) {
    const encoding = encodingOf(label)
    // Without a zero byte among the first ones it is neither, whatever it says.
    if (encoding === undefined || encoding.startsWith('utf-16')) continue
    if (encoding === 'utf-8') {
      if (utf8.likely) return utf8.text
    } else if (encoding === 'windows-1252') {
      // Nobody writes text that reads as UTF-8 by chance.
      return utf8.likely && utf8.beyondAscii ? utf8.text : windows1252(bytes)
    } else return new TextDecoder(encoding).decode(bytes)
  }
  return utf8.likely ? utf8.text : windows1252(bytes)
}

/** Text of two or four bytes a character, by its BOM or by the zeros a first character of ASCII has. */
function decodeWide(bytes: Uint8Array): string | undefined {
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

/** No decoder of the platform knows UTF-32. */
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
 * The bytes as UTF-8, and whether that is what they are: more of what lies beyond ASCII reads well than not, so one
 * character cut in half does not make a mess of all others.
 */
function readUtf8(bytes: Uint8Array): { text: string; likely: boolean; beyondAscii: boolean } {
  const text = new TextDecoder().decode(bytes)
  let well = 0
  let ill = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 0xfffd) ill++
    else if (unit > 0x7f) well++
  }
  return { text, likely: well > ill || ill === 0, beyondAscii: well > 0 }
}

/** The platform's name of an encoding, or undefined where it knows none of that name. */
function encodingOf(label: string): string | undefined {
  for (const name of [label, label.replaceAll('_', '-'), label.replace(/^cp-?(?=\d)/i, 'windows-')]) {
    try {
      return new TextDecoder(name).encoding
    } catch {
      // not this name; perhaps the next
    }
  }
  return undefined
}

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')

const windows1252 = (bytes: Uint8Array) =>
  latin1(bytes).replace(/[\u0080-\u009f]/g, (character) => windowsCharacter(character.charCodeAt(0)))
