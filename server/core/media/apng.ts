import { crc32 } from 'node:zlib'
import type { Frame } from './composeFrames.ts'

type PngChunk = { type: string; data: Buffer }

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

const pngOf = (chunks: PngChunk[]) =>
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

/** A frame whose pixels are a separate PNG. `delay` is in ms. */
type ApngFrame = Omit<Frame, 'pixels'> & { png: Buffer; delay: number }
type Apng = { frames: ApngFrame[]; loop: number }

/** Chunks that affect the colours. Every frame's PNG gets a copy. */
const COLOUR_CHUNKS = ['PLTE', 'tRNS', 'iCCP']
const DISPOSALS = ['keep', 'clear', 'restore'] as const

type Part = { control: Buffer; data: Buffer[] }

/**
 * Splits an animated PNG into frames. Skips the fallback image unless it is also the first frame.
 * @returns null if the PNG has no animation
 * @throws Error if a frame is broken
 */
export function splitApng(bytes: Buffer): Apng | null {
  const shared: PngChunk[] = []
  const parts: Part[] = []
  let header: Buffer | null = null
  let loop: number | null = null
  let hasData = false
  for (const { type, data } of pngChunks(bytes)) {
    if (type === 'IHDR') header = data
    else if (type === 'acTL' && !hasData && data.length === 8) loop = data.readUInt32BE(4)
    else if (type === 'IDAT' && loop === null) return null
    else if (type === 'fcTL') parts.push({ control: data, data: [] })
    else if (type === 'IDAT') parts.at(-1)?.data.push(data)
    else if (type === 'fdAT') parts.at(-1)?.data.push(data.subarray(4))
    else if (COLOUR_CHUNKS.includes(type) && !hasData) shared.push({ type, data })
    hasData ||= type === 'IDAT'
  }
  if (!header || loop === null || parts.length === 0) return null
  const frames = parts.map((part, index) => readFrame(part, header, shared, index === 0))
  return { frames, loop: Math.min(loop, 65_535) }
}

function readFrame({ control, data }: Part, canvas: Buffer, shared: PngChunk[], isFirst: boolean): ApngFrame {
  if (control.length !== 26 || data.length === 0) throw new Error('apng: a frame is incomplete')
  const [width = 0, height = 0, left = 0, top = 0] = [4, 8, 12, 16].map((at) => control.readUInt32BE(at))
  const isInside = left + width <= canvas.readUInt32BE(0) && top + height <= canvas.readUInt32BE(4)
  if (!isInside || width === 0 || height === 0) throw new Error('apng: a frame is outside of the canvas')
  const header = Buffer.from(canvas)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  const dispose = DISPOSALS[control[24] ?? 0] ?? 'keep'
  const chunks = [{ type: 'IHDR', data: header }, ...shared, ...data.map((part) => ({ type: 'IDAT', data: part }))]
  return {
    ...{ left, top, width, height },
    // By the specification, the first frame has no previous state to restore.
    dispose: isFirst && dispose === 'restore' ? 'clear' : dispose,
    blend: control[25] === 1,
    delay: Math.round((control.readUInt16BE(20) * 1000) / (control.readUInt16BE(22) || 100)),
    png: pngOf(chunks),
  }
}
