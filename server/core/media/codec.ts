import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp'
import { isTall, PIXEL_DENSITY } from '#src/contract/image.ts'
import { type ImageFormat, withEndMark } from './imageHeader.ts'
import { hashImage } from './perceptualHash.ts'

// Several processes decode images in parallel, so they need no threads. Each image is read once, so they need no cache.
sharp.cache(false)
sharp.concurrency(1)
// libvips has about twenty decoders. Allow only these four. The JPEG decoder reads HDR photos without HDR.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadNsgifBuffer',
    'VipsForeignLoadWebpBuffer',
  ],
})

export type Encoded = { bytes: Buffer; ext: string; width: number; height: number }
/** Maximum size of a still image. The default type is WebP. */
export type MaxSize = { width: number; height: number; type?: 'webp' | 'jpeg' }

export type PreparedImage = {
  image: Sharp
  /** output format: the source's format, but WebP for an animated PNG */
  format: ImageFormat
  /** size of one frame in pixels, after rotation */
  width: number
  height: number
  frames: number
  /** duration of each frame in ms */
  delay: number[]
  loop: number
  /** whether our code composed the frames; then the encoder needs `delay` and `loop` */
  isComposed: boolean
  kind: 'palette' | 'lossless' | 'mixed' | null
}

/** Opens an image. Ignores warnings, because camera files often cause them. The caller limits the pixels. */
const open = (bytes: Uint8Array, options: SharpOptions = {}) =>
  sharp(bytes, { failOn: 'error', limitInputPixels: false, ...options })

export const openFile = (bytes: Uint8Array, animated: boolean): Sharp =>
  animated ? open(bytes, { animated }) : open(bytes).autoOrient()

/** Opens RGBA pixels. Several frames are stacked vertically. */
export function openRaw(pixels: Buffer, { width, height }: { width: number; height: number }): Sharp {
  const rows = pixels.length / width / 4
  const pages = rows > height ? { pageHeight: height } : {}
  return sharp(pixels, { raw: { width, height: rows, channels: 4, ...pages }, limitInputPixels: false })
}

/** Adds a missing end mark, because libvips rejects files without it. @throws Error if pixels are missing too */
export async function completeJpeg(bytes: Buffer): Promise<Buffer> {
  const whole = withEndMark(bytes)
  // libvips fills missing pixels with grey, and only warns about it.
  await open(whole, { failOn: 'warning' }).stats()
  return whole
}

export const readMetadata = (bytes: Uint8Array) => open(bytes).metadata()

/** Limits compression time. Larger lossless WebPs get the fastest compression, which can double the file size. */
const MAX_HIGH_EFFORT_PIXELS = 4_000_000

/** Re-encodes an image as 8-bit sRGB, without metadata or trailing data. A lossless source stays lossless. */
export function encode({ image, format, kind, ...prepared }: PreparedImage): Promise<Buffer> {
  const times = prepared.isComposed && prepared.frames > 1 ? { delay: prepared.delay, loop: prepared.loop } : {}
  if (format === 'jpeg') return image.jpeg({ quality: 85, progressive: true }).toBuffer()
  // Efforts below 7 change the palette's colours.
  if (kind === 'palette') return image.png({ palette: true, dither: 0, effort: 7 }).toBuffer()
  if (format === 'png') return image.png({ adaptiveFiltering: true }).toBuffer()
  // Keep duplicate frames, so that verifyEncoded can compare the number of frames.
  if (format === 'gif') return image.gif({ ...times, effort: 4, keepDuplicateFrames: true }).toBuffer()
  if (kind !== 'lossless') return image.webp({ ...times, quality: 85, effort: 2, mixed: kind === 'mixed' }).toBuffer()
  const isSmall = prepared.width * prepared.height * prepared.frames <= MAX_HIGH_EFFORT_PIXELS
  return image.webp({ ...times, lossless: true, effort: isSmall ? 4 : 0 }).toBuffer()
}

/** Verifies a re-encoded file. @returns its header, or null if its format, size or frames differ or metadata is left */
export async function verifyEncoded(written: Buffer, prepared: PreparedImage): Promise<Metadata | null> {
  const result = await readMetadata(written)
  const extras = [result.exif, result.xmp, result.iptc, result.icc, result.tifftagPhotoshop, result.comments?.length]
  const isFaithful =
    result.format === prepared.format &&
    result.width === prepared.width &&
    result.height === prepared.height &&
    extras.every((extra) => !extra) &&
    (prepared.format === 'gif' ? sameFrames(result, prepared) : sameDuration(result, prepared))
  return isFaithful ? result : null
}

export const isAnimated = (image: Metadata) => (image.pages ?? 1) > 1

const sameFrames = ({ pages = 1, loop, delay }: Metadata, prepared: PreparedImage) =>
  pages === prepared.frames && (pages === 1 || (loop === prepared.loop && String(delay) === String(prepared.delay)))

/**
 * Compares total durations, because the WebP encoder merges equal frames. If all are equal, it writes a still image.
 */
function sameDuration(result: Metadata, prepared: PreparedImage): boolean {
  if (prepared.frames === 1 || !isAnimated(result)) return !isAnimated(result)
  const duration = (delay: number[] = []) => delay.reduce((sum, one) => sum + one, 0)
  return duration(result.delay) === duration(prepared.delay) && result.loop === prepared.loop
}

/**
 * Creates still thumbnails, never larger than the image, and hashes them. Rejects a file if the decoder warns about it.
 */
export async function createThumbnails(
  bytes: Buffer,
  image: { width: number; height: number },
  sizes: { preview: MaxSize; display: MaxSize },
): Promise<{ preview: Encoded; display: Encoded; perceptualHash: Buffer }> {
  const largestBox = {
    width: Math.max(sizes.preview.width, sizes.display.width),
    height: Math.max(sizes.preview.height, sizes.display.height),
  }
  const largest = await shrink(open(bytes, { failOn: 'warning' }), largestBox)
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = largest.info
  const decoded = () => sharp(largest.data, { raw: { width, height, channels } })
  const createStill = async (size: MaxSize) => {
    const small = shrink(isTall(image) ? openUpperPart(bytes, image, size) : decoded(), size)
    const { type = 'webp' } = size
    const encoded = type === 'webp' ? small.webp({ quality: 78 }) : small.flatten({ background: '#fff' }).jpeg()
    const { data, info } = await encoded.toBuffer({ resolveWithObject: true })
    return { bytes: data, ext: type === 'webp' ? 'webp' : 'jpg', width: info.width, height: info.height }
  }
  return {
    preview: await createStill(sizes.preview),
    display: await createStill(sizes.display),
    perceptualHash: await hashImage(decoded()),
  }
}

/** Opens the part of a tall image that fills the box of a thumbnail, at the width that the box allows. */
function openUpperPart(bytes: Buffer, image: { width: number; height: number }, box: MaxSize): Sharp {
  const scale = Math.min(1, box.width / PIXEL_DENSITY / image.width)
  const height = Math.min(image.height, Math.floor(box.height / PIXEL_DENSITY / scale))
  return open(bytes, { failOn: 'warning' }).extract({ left: 0, top: 0, width: image.width, height })
}

const shrink = (image: Sharp, { width, height }: MaxSize) =>
  image.resize({ width, height, fit: 'inside', withoutEnlargement: true })

export async function createThumbnail(image: Sharp, side: number): Promise<Encoded> {
  const { data, info } = await shrink(image, { width: side, height: side })
    .webp({ quality: 80 })
    .toBuffer({ resolveWithObject: true })
  return { bytes: data, ext: 'webp', width: info.width, height: info.height }
}
