/** Lists the chunks of an image file. @throws Error if the file is incomplete or has trailing bytes */
export function listImageParts(bytes: Buffer): string[] {
  if (bytes.readUInt16BE(0) === 0xffd8) return jpegParts(bytes)
  if (bytes.subarray(1, 4).equals(Buffer.from('PNG'))) return pngParts(bytes)
  return bytes.subarray(0, 3).equals(Buffer.from('GIF')) ? gifParts(bytes) : webpParts(bytes)
}

/** Chunks that served files may contain. Metadata chunks are not allowed. */
export const ALLOWED_PARTS = new Set([
  ...['db', 'c4', 'c0', 'c2', 'dd', 'da'],
  ...['IHDR', 'PLTE', 'tRNS', 'pHYs', 'IDAT', 'IEND'],
  ...['image', 'f9', 'NETSCAPE2.0'],
  ...['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF'],
])

function expectEnd(bytes: Buffer, at: number, parts: string[]): string[] {
  if (at !== bytes.length) throw new Error(`${bytes.length - at} bytes after the end`)
  return parts
}

function jpegParts(bytes: Buffer): string[] {
  const parts: string[] = []
  for (let at = 2; at < bytes.length; ) {
    const marker = bytes[at + 1] ?? 0
    if (bytes[at] !== 0xff) throw new Error('Marker expected')
    if (marker === 0xd9) return expectEnd(bytes, at + 2, parts)
    parts.push(marker.toString(16))
    at += 2 + bytes.readUInt16BE(at + 2)
    // skips scan data, including FF 00 (a literal FF) and FF D0 to FF D7 (restart markers)
    while (marker === 0xda && !(bytes[at] === 0xff && !isInScan(bytes[at + 1] ?? 0))) at++
  }
  throw new Error('End marker missing')
}

const isInScan = (byte: number) => byte === 0 || (byte >= 0xd0 && byte <= 0xd7)

function pngParts(bytes: Buffer): string[] {
  const parts: string[] = []
  let at = 8
  while (parts.at(-1) !== 'IEND') {
    parts.push(bytes.toString('latin1', at + 4, at + 8))
    at += 12 + bytes.readUInt32BE(at)
  }
  return expectEnd(bytes, at, parts)
}

function gifParts(bytes: Buffer): string[] {
  const parts: string[] = []
  const table = (flags = 0) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  let at = 13 + table(bytes[10])
  while (bytes[at] !== 0x3b) {
    if (bytes[at] === 0x2c) {
      parts.push('image')
      at += 11 + table(bytes[at + 9])
    } else if (bytes[at] === 0x21) {
      const label = bytes[at + 1] ?? 0
      parts.push(label === 0xff ? bytes.toString('latin1', at + 3, at + 14) : label.toString(16))
      at += 2
    } else throw new Error('Block expected')
    while (bytes[at]) at += 1 + (bytes[at] ?? 0)
    at++
  }
  return expectEnd(bytes, at + 1, parts)
}

function webpParts(bytes: Buffer): string[] {
  const parts: string[] = []
  const walk = (start: number, end: number) => {
    for (let at = start; at < end; ) {
      const name = bytes.toString('latin1', at, at + 4)
      const length = bytes.readUInt32LE(at + 4)
      parts.push(name)
      if (name === 'ANMF') walk(at + 24, at + 8 + length)
      at += 8 + length + (length & 1)
    }
  }
  walk(12, bytes.length)
  return expectEnd(bytes, bytes.readUInt32LE(4) + 8, parts)
}
