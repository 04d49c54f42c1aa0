import { MAX_ANIMATION_PIXELS, MAX_IMAGE_SIDE, MAX_STILL_PIXELS } from '#src/contract/image.ts'
import { measureGif } from './gif.ts'
import type { ImageFormat } from './imageFormat.ts'
import { readJpeg } from './jpeg.ts'
import { readPng } from './png.ts'
import { readWebp } from './webp.ts'

/** Size of an image, read without a decoder to know the cost of decoding in advance. */
export type ImageHeader = { width: number; height: number; frames: number; scans: number }

/** Reads the header of an image; null if its structure is broken. */
export function readHeader(bytes: Buffer, format: ImageFormat): ImageHeader | null {
  if (format === 'jpeg') return withDefaults(readJpeg(bytes))
  if (format === 'png') return withDefaults(readPng(bytes))
  if (format === 'webp') return withDefaults(readWebp(bytes))
  // The GIF decoder enlarges the canvas for a frame that does not fit.
  return withDefaults(measureGif(bytes))
}

const withDefaults = (outline: (Partial<ImageHeader> & { width: number; height: number }) | null): ImageHeader | null =>
  outline && { frames: 1, scans: 1, ...outline }

/** Returns whether an image is within the limits; an animation counts the pixels of all frames. */
export const fitsLimits = ({ width, height, frames }: Pick<ImageHeader, 'width' | 'height' | 'frames'>): boolean =>
  Math.max(width, height) <= MAX_IMAGE_SIDE &&
  width * height * frames <= (frames > 1 ? MAX_ANIMATION_PIXELS : MAX_STILL_PIXELS)
