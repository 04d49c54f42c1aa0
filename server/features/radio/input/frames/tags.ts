/** The frames with artist and title, by the version of the tag: https://id3.org/id3v2.4.0-frames, 4.2 */
const NAMES: Record<number, { artist: string; title: string }> = {
  2: { artist: 'TP1', title: 'TT2' },
  3: { artist: 'TPE1', title: 'TIT2' },
  4: { artist: 'TPE1', title: 'TIT2' },
}
const HEADER_BYTES = 10
const HAS_EXTENDED_HEADER = 0x40
const CHARSETS = ['latin1', 'utf-16', 'utf-16be', 'utf-8']

/** Reads artist and title from an ID3v2 tag, whose end can be missing. */
export function readId3(tag: Buffer): { artist: string; title: string } {
  const version = tag[3] ?? 0
  const names = NAMES[version]
  if (!names || tag.toString('latin1', 0, 3) !== 'ID3') return { artist: '', title: '' }
  const texts = new Map<string, string>()
  const nameBytes = names.title.length
  const headBytes = version === 2 ? 6 : 10
  const end = Math.min(tag.length, HEADER_BYTES + readSize(tag, 6, 4, 7))
  for (let at = HEADER_BYTES + extendedHeaderBytes(tag, version); at + headBytes < end; ) {
    const size = readSize(tag, at + nameBytes, version === 2 ? 3 : 4, version === 4 ? 7 : 8)
    const from = at + headBytes
    if (size === 0 || from + size > end) break
    texts.set(tag.toString('latin1', at, at + nameBytes), decodeText(tag.subarray(from, from + size)))
    at = from + size
  }
  return { artist: texts.get(names.artist) ?? '', title: texts.get(names.title) ?? '' }
}

function extendedHeaderBytes(tag: Buffer, version: number): number {
  if (version === 2 || !((tag[5] ?? 0) & HAS_EXTENDED_HEADER)) return 0
  // Only version 2.4 counts the size itself.
  return version === 4 ? readSize(tag, HEADER_BYTES, 4, 7) : 4 + readSize(tag, HEADER_BYTES, 4, 8)
}

/** @param bits used bits of each byte */
const readSize = (tag: Buffer, at: number, bytes: number, bits: number): number =>
  tag.subarray(at, at + bytes).reduce((size, byte) => size * 2 ** bits + byte, 0)

/** The first byte is the charset. Several values are separated by zeros: returns the first one. */
function decodeText(value: Buffer): string {
  const charset = CHARSETS[value[0] ?? 0] ?? 'latin1'
  return new TextDecoder(charset).decode(value.subarray(1)).split('\0')[0] ?? ''
}

const APE_HEADER_BYTES = 32
const APE_HAS_ITEMS_BEHIND = 1 << 29
const ID3V1_BYTES = 128

/** Returns 0 if there is no ID3v2, ID3v1 or APE tag, and 'short' when more bytes are needed. Requires ten bytes. */
export function readTagLength(buffer: Buffer, at: number): number | 'short' {
  // Fast path: the first byte rules out nearly all positions.
  const first = buffer[at]
  if (first !== 0x49 && first !== 0x54 && first !== 0x41) return 0
  const text = buffer.toString('latin1', at, at + 8)
  if (text.startsWith('ID3')) return readId3v2Length(buffer, at)
  if (text.startsWith('TAG')) return ID3V1_BYTES
  if (text !== 'APETAGEX') return 0
  if (buffer.length - at < APE_HEADER_BYTES) return 'short'
  // APE items come after a header, but before a footer: add their length only if this is a header.
  const flags = buffer.readUInt32LE(at + 20)
  return APE_HEADER_BYTES + (flags & APE_HAS_ITEMS_BEHIND ? buffer.readUInt32LE(at + 12) : 0)
}

/** https://id3.org/id3v2.4.0-structure, 3.1: each byte of the size has seven bits. */
function readId3v2Length(buffer: Buffer, at: number): number {
  const size = buffer.subarray(at + 6, at + 10)
  if (buffer[at + 3] === 0xff || buffer[at + 4] === 0xff || size.some((byte) => byte > 0x7f)) return 0
  const footer = ((buffer[at + 5] ?? 0) & 0x10) !== 0 ? 10 : 0
  return 10 + size.reduce((sum, byte) => sum * 128 + byte, 0) + footer
}
