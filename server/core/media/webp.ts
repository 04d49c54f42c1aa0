type WebpChunk = { type: string; data: Buffer }

function* webpChunks(bytes: Buffer, start = 12): Generator<WebpChunk> {
  for (let at = start; at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32LE(at + 4)
    yield { type: bytes.toString('latin1', at, at + 4), data: bytes.subarray(at + 8, at + 8 + length) }
    at += 8 + length + (length & 1)
  }
}

export function readWebp(bytes: Buffer): { width: number; height: number; frames: number; isWhole: boolean } | null {
  let size: { width: number; height: number } | null = null
  let frames = 0
  for (const { type, data } of webpChunks(bytes)) {
    if (type === 'ANMF') frames++
    size ??= sizeOf(type, data)
  }
  return size && { ...size, frames: Math.max(1, frames), isWhole: bytes.readUInt32LE(4) + 8 <= bytes.length }
}

function sizeOf(type: string, data: Buffer) {
  if (data.length < 10) return null
  if (type === 'VP8X') return { width: 1 + data.readUIntLE(4, 3), height: 1 + data.readUIntLE(7, 3) }
  if (type === 'VP8 ') return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff }
  if (type !== 'VP8L') return null
  const bits = data.readUInt32LE(1)
  return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >> 14) & 0x3fff) }
}

export function webpKind(bytes: Buffer): 'lossless' | 'mixed' | null {
  const kinds = new Set<string>()
  for (const { type, data } of webpChunks(bytes)) {
    kinds.add(type)
    if (type === 'ANMF') for (const part of webpChunks(data, 16)) kinds.add(part.type)
  }
  if (!kinds.has('VP8L')) return null
  return kinds.has('VP8 ') ? 'mixed' : 'lossless'
}
