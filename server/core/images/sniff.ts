/** The formats that are taken; each is stored as what it came as. */
export type ImageFormat = 'jpeg' | 'png' | 'gif' | 'webp'

/** Tells a picture's format by its first bytes; names and declared types can lie and are never asked. */
export function sniffFormat(bytes: Uint8Array): ImageFormat | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 12)).toString('latin1')
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'gif'
  if (head.startsWith('RIFF') && head.slice(8) === 'WEBP') return 'webp'
  return null
}

const IMAGE = 0x2c
const EXTENSION = 0x21

/**
 * Counts the frames of a GIF by walking its blocks, or gives null when it breaks off inside one. The decoder takes a
 * truncated GIF without a word at every strictness, so this is what refuses it. Counting stops once past `most`.
 */
export function countGifFrames(bytes: Uint8Array, most: number): number | null {
  const tableSize = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  const endOfSubBlocks = (start: number) => {
    let at = start
    while (bytes[at]) at += 1 + (bytes[at] ?? 0)
    return at + 1
  }
  let frames = 0
  let at = 13 + tableSize(bytes[10] ?? 0)
  while (frames <= most && at < bytes.length) {
    if (bytes[at] === IMAGE) {
      frames++
      at = endOfSubBlocks(at + 11 + tableSize(bytes[at + 9] ?? 0))
    } else if (bytes[at] === EXTENSION) at = endOfSubBlocks(at + 2)
    else return frames
  }
  return at <= bytes.length ? frames : null
}
