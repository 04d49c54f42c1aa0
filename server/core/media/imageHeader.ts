import { MAX_ANIMATION_PIXELS, MAX_IMAGE_SIDE, MAX_STILL_PIXELS } from '#src/contract/image.ts'
import { measureGif } from './gif.ts'
import { readJpeg } from './jpeg.ts'
import { readPng } from './png.ts'
import { readWebp } from './webp.ts'

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
