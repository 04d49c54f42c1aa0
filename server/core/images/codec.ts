import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp'
import type { ImageFormat } from './sniff.ts'

// As many processes run at once as there should be threads, and no image is read twice: threads for one image and a
// cache of operations would only hold memory.
sharp.cache(false)
sharp.concurrency(1)
// The library can read some twenty formats. Whatever gets past our own check finds no other decoder than these four;
// it also reads a phone's HDR picture as the plain JPEG every browser can show.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadNsgifBuffer',
    'VipsForeignLoadWebpBuffer',
  ],
})

export type StillType = 'webp' | 'jpeg'
export type Encoded = { bytes: Buffer; ext: string; width: number; height: number }
/** A size to fit into, in pixels of the file. */
export type Box = { width: number; height: number; type?: StillType }

/**
 * Opens an image. Cameras write files that make decoders warn (Samsung's scan headers, bytes before a marker): only
 * errors refuse. The caller bounds the pixels, so that it can tell too many of them from a broken file.
 */
const open = (bytes: Uint8Array, options: SharpOptions = {}) =>
  sharp(bytes, { failOn: 'error', limitInputPixels: false, ...options })

/** Reads the header alone. */
export const inspect = (bytes: Uint8Array) => open(bytes).metadata()

const encoders: Record<ImageFormat, (picture: Sharp) => Sharp> = {
  jpeg: (picture) => picture.jpeg({ quality: 85, progressive: true }),
  png: (picture) => picture.png({ adaptiveFiltering: true }),
  // Duplicate frames are kept, or the number of frames could not be checked afterwards.
  gif: (picture) => picture.gif({ effort: 4, keepDuplicateFrames: true }),
  webp: (picture) => picture.webp({ quality: 85, effort: 2 }),
}

/**
 * Decodes a picture and writes it anew in the same format: upright, 8 bits of sRGB, all frames with their times, and
 * nothing else — no metadata, no profile, no trailing data.
 */
export async function reencode(bytes: Uint8Array, format: ImageFormat, source: Metadata): Promise<Buffer> {
  const animated = isAnimated(source)
  const picture = open(bytes, { animated })
  if (!animated) picture.autoOrient()
  // Colours of 16 bits with a profile are worked on in Display P3 by the library, and would be stored as if sRGB.
  if (source.depth === 'ushort' && source.hasProfile) picture.withIccProfile('srgb', { attach: false })
  return encoders[format](picture).toBuffer()
}

/**
 * Reads a written picture back: its header, or null unless format, size and frames are the source's and no metadata
 * is left.
 */
export async function readBack(written: Buffer, format: ImageFormat, source: Metadata): Promise<Metadata | null> {
  const result = await inspect(written)
  const expected = isAnimated(source) ? source : source.autoOrient
  const extras = [result.exif, result.xmp, result.iptc, result.icc, result.tifftagPhotoshop, result.comments?.length]
  const faithful =
    result.format === format &&
    result.width === expected.width &&
    result.height === expected.height &&
    extras.every((extra) => !extra) &&
    (format === 'gif' ? sameFrames(result, source) : sameDuration(result, source))
  return faithful ? result : null
}

/** Whether a picture has more than one frame. */
export const isAnimated = (picture: Metadata) => (picture.pages ?? 1) > 1

/** A still may claim to be played again and again; what is written of it does not. */
const sameFrames = (a: Metadata, b: Metadata) =>
  a.pages === b.pages && (!isAnimated(b) || (a.loop === b.loop && String(a.delay) === String(b.delay)))

/** WebP's encoder joins equal frames and adds up their times; when all are equal, a still is left. */
function sameDuration(result: Metadata, source: Metadata): boolean {
  if (!isAnimated(source) || !isAnimated(result)) return !isAnimated(result)
  const duration = ({ delay = [] }: Metadata) => delay.reduce((sum, one) => sum + one, 0)
  return duration(result) === duration(source) && result.loop === source.loop
}

/**
 * Makes small stills of our own file's first frame, one for each place, never enlarged. The file is decoded once,
 * which also proves that it can be: here the slightest warning refuses.
 * @param places in pixels of the files
 */
export async function reduce(
  bytes: Buffer,
  places: { preview: Box; display: Box },
): Promise<{ preview: Encoded; display: Encoded }> {
  const around = {
    width: Math.max(places.preview.width, places.display.width),
    height: Math.max(places.preview.height, places.display.height),
  }
  const largest = await shrink(open(bytes, { failOn: 'warning' }), around)
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = largest.info
  const still = async (box: Box) => {
    const small = shrink(sharp(largest.data, { raw: { width, height, channels } }), box)
    const { type = 'webp' } = box
    const encoded = type === 'webp' ? small.webp({ quality: 78 }) : small.flatten({ background: '#fff' }).jpeg()
    const { data, info } = await encoded.toBuffer({ resolveWithObject: true })
    return { bytes: data, ext: type === 'webp' ? 'webp' : 'jpg', width: info.width, height: info.height }
  }
  return { preview: await still(places.preview), display: await still(places.display) }
}

const shrink = (picture: Sharp, { width, height }: Box) =>
  picture.resize({ width, height, fit: 'inside', withoutEnlargement: true })

/** Makes a small WebP of an image's first frame, upright, never enlarged, without metadata. */
export async function stillWithin(bytes: Uint8Array, side: number): Promise<Encoded> {
  const { data, info } = await shrink(open(bytes).autoOrient(), { width: side, height: side })
    .webp({ quality: 80 })
    .toBuffer({ resolveWithObject: true })
  return { bytes: data, ext: 'webp', width: info.width, height: info.height }
}
