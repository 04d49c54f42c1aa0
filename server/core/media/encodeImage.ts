import { createHash } from 'node:crypto'
import {
  completeJpeg,
  createThumbnail,
  createThumbnails,
  type Encoded,
  encode,
  isAnimated,
  type MaxSize,
  readMetadata,
  verifyEncoded,
} from './codec.ts'
import { fitsLimits, type ImageFormat, readHeader } from './imageHeader.ts'
import { hashBlockedImage } from './perceptualHash.ts'
import { prepareImage } from './prepareImage.ts'

export type ImageSizes = { preview: MaxSize; display: MaxSize }

export type EncodedImage = {
  format: ImageFormat
  width: number
  height: number
  animated: boolean
  original: Buffer
  preview: Encoded
  display: Encoded
  hashes: ImageHashes
}

/** Hashes that the server compares with those of blocked images. */
export type ImageHashes = {
  /** SHA-256 of the uploaded bytes */
  upload: Buffer
  /** SHA-256 of the stored original */
  original: Buffer
  /** how the image looks; of an animation, its first frame */
  perceptual: Buffer
}

/** `type`: broken or another format. `pixels`: too many. `incomplete`: the end of the file is missing. */
export type RejectionReason = 'type' | 'pixels' | 'incomplete'

export class ImageRejectedError extends Error {
  readonly refusal: RejectionReason

  constructor(refusal: RejectionReason, message: string) {
    super(message)
    this.refusal = refusal
  }
}

/** @returns the file to decode, and its metadata */
async function inspectAndCheck(given: Buffer, pixels: number, format: ImageFormat) {
  const bytes = format === 'jpeg' && readHeader(given)?.isWhole === false ? await completeJpeg(given) : given
  const source = await readMetadata(bytes)
  if (source.format !== format) throw new ImageRejectedError('type', `${source.format} in a ${format}`)
  const { width, height, pages: frames = 1 } = source
  if (!fitsLimits({ width, height, frames })) throw new ImageRejectedError('pixels', 'too many pixels')
  if (width * height * frames > pixels) throw new ImageRejectedError('type', 'more pixels than the header declares')
  return { bytes, source }
}

/**
 * @param pixels number of pixels according to the file's header; a larger image is rejected
 * @throws ImageRejectedError, or the decoder's error for a broken file
 */
export async function encodeImage(
  upload: Buffer,
  { format, pixels, sizes }: { format: ImageFormat; pixels: number; sizes: ImageSizes },
): Promise<EncodedImage> {
  const { bytes, source } = await inspectAndCheck(upload, pixels, format)
  const prepared = await prepareImage(bytes, format, source)
  const original = await encode(prepared)
  const written = await verifyEncoded(original, prepared)
  if (!written) throw new ImageRejectedError('type', 'the re-encoded file differs')
  const { width, height } = written
  const animated = isAnimated(written)
  const { perceptualHash, ...thumbnails } = await createThumbnails(original, { width, height }, sizes)
  const hashes = { upload: sha256(upload), original: sha256(original), perceptual: perceptualHash }
  return { format: prepared.format, width, height, animated, original, ...thumbnails, hashes }
}

export const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

type Header = { format: ImageFormat; pixels: number }

async function openFirstFrame(given: Buffer, { format, pixels }: Header) {
  const { bytes, source } = await inspectAndCheck(given, pixels, format)
  return (await prepareImage(bytes, format, source, 1)).image
}

/** Hashes a stored original that is blocked. @returns null if it is nearly flat */
export const hashStoredImage = async (stored: Buffer, header: Header): Promise<Buffer | null> =>
  hashBlockedImage(await openFirstFrame(stored, header))

export const encodeThumbnail = async (file: Buffer, header: Header & { side: number }): Promise<Encoded> =>
  createThumbnail(await openFirstFrame(file, header), header.side)
