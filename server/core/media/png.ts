import { crc32 } from 'node:zlib'

export type PngChunk = { type: string; data: Buffer }

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** Yields the chunks up to IEND, or to the end of a truncated file. The decoder verifies the checksums. */
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

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(data.length)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(body), body.length + 4)
  return chunk
}

export const pngOf = (chunks: PngChunk[]) =>
  Buffer.concat([SIGNATURE, ...chunks.map(({ type, data }) => pngChunk(type, data)), pngChunk('IEND', Buffer.alloc(0))])

export function readPng(bytes: Buffer): { width: number; height: number; frames: number; isWhole: boolean } | null {
  if (bytes.length < 33 || bytes.toString('latin1', 12, 16) !== 'IHDR') return null
  const size = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  let frames = 0
  let isAnimated = false
  let hasData = false
  let isWhole = false
  for (const { type } of pngChunks(bytes)) {
    if (type === 'acTL' && !hasData) isAnimated = true
    else if (type === 'fcTL') frames++
    hasData ||= type === 'IDAT'
    isWhole = type === 'IEND'
  }
  return { ...size, frames: isAnimated ? Math.max(1, frames) : 1, isWhole }
}
