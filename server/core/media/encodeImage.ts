import { type Box, type Encoded, encode, inspect, isAnimated, readBack, reduce, stillWithin } from './codec.ts'
import type { ImageFormat } from './imageFormat.ts'
import { fitsLimits } from './imageHeader.ts'
import { prepare } from './prepareInput.ts'

export type ImageBoxes = { preview: Box; display: Box }

export type EncodedImage = {
  format: ImageFormat
  /** pixels of the original, upright; of one frame */
  width: number
  height: number
  animated: boolean
  /** the whole image, re-encoded */
  original: Buffer
  preview: Encoded
  display: Encoded
}

/** Why an image is refused: it is broken or of another type, or it has too many pixels. */
export type Refusal = 'type' | 'pixels'

/** Refuses an image for what is in it. */
export class ImageRefused extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal, message: string) {
    super(message)
    this.refusal = refusal
  }
}

async function inspectWithin(bytes: Buffer, pixels: number, format: ImageFormat) {
  const source = await inspect(bytes)
  if (source.format !== format) throw new ImageRefused('type', `${source.format} in a ${format}`)
  const { width, height, pages: frames = 1 } = source
  if (!fitsLimits({ width, height, frames })) throw new ImageRefused('pixels', 'too many pixels')
  if (width * height * frames > pixels) throw new ImageRefused('type', 'more pixels than its structure says')
  return source
}

/**
 * Re-encodes an image without metadata, reads it back, and reduces it for its boxes.
 * @param pixels what the image was admitted with; the decoder must not find more
 * @throws ImageRefused, or whatever the decoder says about a broken file
 */
export async function encodeImage(
  bytes: Buffer,
  { format, pixels, boxes }: { format: ImageFormat; pixels: number; boxes: ImageBoxes },
): Promise<EncodedImage> {
  const source = await inspectWithin(bytes, pixels, format)
  const prepared = await prepare(bytes, format, source)
  const original = await encode(prepared)
  const written = await readBack(original, prepared)
  if (!written) throw new ImageRefused('type', 'the re-encoded file differs')
  const { width, height } = written
  const animated = isAnimated(written)
  return { format: prepared.format, width, height, animated, original, ...(await reduce(original, boxes)) }
}

/** Makes a small still WebP of an image's first frame. */
export async function encodeThumbnail(
  bytes: Buffer,
  { format, pixels, side }: { format: ImageFormat; pixels: number; side: number },
): Promise<Encoded> {
  const source = await inspectWithin(bytes, pixels, format)
  const { picture } = await prepare(bytes, format, source, 1)
  return stillWithin(picture, side)
}
