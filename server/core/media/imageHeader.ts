import { MAX_ANIMATION_PIXELS, MAX_IMAGE_SIDE, MAX_STILL_PIXELS } from '#src/contract/image.ts'
import { readPng } from './apng.ts'
import { measureGif } from './gif.ts'

export type ImageFormat = 'jpeg' | 'png' | 'gif' | 'webp'
type Size = { width: number; height: number; frames: number }

const READERS: Record<ImageFormat, (bytes: Buffer) => (Omit<Size, 'frames'> & Partial<ImageHeader>) | null> = {
  jpeg: readJpeg,
  png: readPng,
  webp: readWebp,
  // Measure all frames: if a frame does not fit on the canvas, the decoder enlarges the canvas and needs more memory.
  gif: measureGif,
}

type ImageHeader = Size & {
  format: ImageFormat
  scans: number
  /** whether the file has its end. Decoders accept some files without it. */
  isWhole: boolean
}

/** Reads the size, frames, scans and end without a decoder. Returns null for other formats and broken files. */
export function readHeader(bytes: Buffer): ImageHeader | null {
  const format = detectFormat(bytes)
  const header = format && READERS[format](bytes)
  return header && { format, frames: 1, scans: 1, isWhole: true, ...header }
}

/** Detects the format from the first bytes. Ignores the file name and the declared type, because they can be wrong. */
function detectFormat(bytes: Buffer): ImageFormat | null {
  const head = bytes.toString('latin1', 0, 12)
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'gif'
  if (head.startsWith('RIFF') && head.slice(8) === 'WEBP') return 'webp'
  return null
}

/** Returns whether an image is within the limits. For an animation, the pixels of all frames count. */
export const fitsLimits = ({ width, height, frames }: Size): boolean =>
  Math.max(width, height) <= MAX_IMAGE_SIDE &&
  width * height * frames <= (frames > 1 ? MAX_ANIMATION_PIXELS : MAX_STILL_PIXELS)

type WebpChunk = { type: string; data: Buffer }

function* webpChunks(bytes: Buffer, start = 12): Generator<WebpChunk> {
  for (let at = start; at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32LE(at + 4)
    yield { type: bytes.toString('latin1', at, at + 4), data: bytes.subarray(at + 8, at + 8 + length) }
    at += 8 + length + (length & 1)
  }
}

function readWebp(bytes: Buffer): { width: number; height: number; frames: number; isWhole: boolean } | null {
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

const START_OF_SCAN = 0xda
const END_OF_IMAGE = 0xd9

/** Matches markers without a length: TEM, RST0 to RST7 and SOI. */
const isStandalone = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)
/** Matches SOF0 to SOF15, but not DHT, JPG and DAC. */
const isFrameHeader = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/**
 * Reads the size, the number of scans, and whether the file has its end mark. Finds markers like libjpeg: skips garbage
 * between segments and treats `FF 00` in a scan as an escaped byte.
 */
function readJpeg(bytes: Buffer): { width: number; height: number; scans: number; isWhole: boolean } | null {
  let size: { width: number; height: number } | null = null
  let scans = 0
  let isWhole = false
  for (let at = bytes.indexOf(0xff, 2); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at)) {
    const marker = bytes[++at] ?? 0
    if (marker === END_OF_IMAGE) {
      isWhole = true
      break
    }
    if (marker === 0xff) continue
    if (marker === 0 || isStandalone(marker)) {
      at++
      continue
    }
    if (at + 2 >= bytes.length) break
    if (marker === START_OF_SCAN) scans++
    const length = bytes.readUInt16BE(at + 1)
    if (isFrameHeader(marker) && length === 8 + 3 * (bytes[at + 8] ?? 0) && at + length < bytes.length) {
      size ??= { height: bytes.readUInt16BE(at + 4), width: bytes.readUInt16BE(at + 6) }
    }
    at += 1 + length
  }
  return size && { ...size, scans, isWhole }
}

export const withEndMark = (jpeg: Buffer): Buffer => Buffer.concat([jpeg, Buffer.from([0xff, END_OF_IMAGE])])
