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
