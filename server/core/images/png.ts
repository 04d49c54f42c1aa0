export type PngChunk = { type: string; data: Buffer }

/** Yields the chunks of a PNG up to IEND; stops where the file breaks off. Checksums are left to the decoder. */
export function* pngChunks(bytes: Buffer): Generator<PngChunk> {
  for (let at = 8; at + 12 <= bytes.length; ) {
    const type = bytes.toString('latin1', at + 4, at + 8)
    const end = at + 8 + bytes.readUInt32BE(at)
    if (end + 4 > bytes.length) return
    yield { type, data: bytes.subarray(at + 8, end) }
    if (type === 'IEND') return
    at = end + 4
  }
}

/** Reads a PNG's size and its number of frames: more than one in an animated PNG. */
export function readPng(bytes: Buffer): { width: number; height: number; frames: number } | null {
  if (bytes.length < 33 || bytes.toString('latin1', 12, 16) !== 'IHDR') return null
  let frames = 0
  for (const { type } of pngChunks(bytes)) if (type === 'fcTL') frames++
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), frames: Math.max(1, frames) }
}
