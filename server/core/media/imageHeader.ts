import { MAX_ANIMATION_PIXELS, MAX_IMAGE_SIDE, MAX_STILL_PIXELS } from '#src/contract/image.ts'
import { measureGif } from './gif.ts'
import type { ImageFormat } from './imageFormat.ts'
import { readJpeg } from './jpeg.ts'
import { readPng } from './png.ts'
import { readWebp } from './webp.ts'

/** What an image says about itself; read without a decoder, so that what it costs is known before one starts. */
export type Outline = { width: number; height: number; frames: number; scans: number }

/** Returns an image's outline, or null when its structure is broken. */
export function readOutline(bytes: Buffer, format: ImageFormat): Outline | null {
  if (format === 'jpeg') return withDefaults(readJpeg(bytes))
  if (format === 'png') return withDefaults(readPng(bytes))
  if (format === 'webp') return withDefaults(readWebp(bytes))
  // Decoders enlarge the canvas for a frame that does not fit.
  return withDefaults(measureGif(bytes))
}

const withDefaults = (outline: (Partial<Outline> & { width: number; height: number }) | null): Outline | null =>
  outline && { frames: 1, scans: 1, ...outline }

/** Whether an image of this size is within the limits; an animation counts all its frames. */
export const fitsLimits = ({ width, height, frames }: Pick<Outline, 'width' | 'height' | 'frames'>): boolean =>
  Math.max(width, height) <= MAX_IMAGE_SIDE &&
  width * height * frames <= (frames > 1 ? MAX_ANIMATION_PIXELS : MAX_STILL_PIXELS)
