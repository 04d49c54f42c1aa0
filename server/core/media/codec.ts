import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp'
import type { ImageFormat } from './imageFormat.ts'

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

/** An image that is opened so that it decodes to what browsers show, and how it is to be written. */
export type Prepared = {
  picture: Sharp
  /** differs from the source's for an animated PNG, which is written as WebP */
  format: ImageFormat
  /** pixels of one frame, upright */
  width: number
  height: number
  frames: number
  /** ms of each frame; of animations */
  delay: number[]
  loop: number
  /** drawn from its frames: the pixels do not carry their times with them */
  isComposed: boolean
  /** how the source's pixels are compressed, where its format has several ways */
  kind: 'palette' | 'lossless' | 'mixed' | null
}

/**
 * Cameras write files that make decoders warn (Samsung's scan headers, bytes before a marker): only errors refuse. The
 * caller bounds the pixels, so that it can tell too many of them from a broken file.
 */
const open = (bytes: Uint8Array, options: SharpOptions = {}) =>
  sharp(bytes, { failOn: 'error', limitInputPixels: false, ...options })

/** Opens a file: a still upright, an animation with all its frames. */
export const openFile = (bytes: Uint8Array, animated: boolean): Sharp =>
  animated ? open(bytes, { animated }) : open(bytes).autoOrient()

/** Opens pixels; several frames lie one below the other. */
export function openRaw(
  pixels: Buffer,
  { width, height }: { width: number; height: number },
  channels: 3 | 4 = 4,
): Sharp {
  const rows = pixels.length / width / channels
  const pages = rows > height ? { pageHeight: height } : {}
  return sharp(pixels, { raw: { width, height: rows, channels, ...pages }, limitInputPixels: false })
}

/** Reads the header alone. */
export const inspect = (bytes: Uint8Array) => open(bytes).metadata()

/** Pixels up to which there is time to compress WebP well without loss; above, files are up to twice as large. */
const WELL_PACKED_PIXELS = 4_000_000

/**
 * Decodes a prepared image and encodes it: upright, 8 bits of sRGB, all frames with their times, and nothing else — no
 * metadata, no profile, no trailing data. What came without loss is written without loss.
 */
export function encode({ picture, format, kind, ...image }: Prepared): Promise<Buffer> {
  const times = image.isComposed && image.frames > 1 ? { delay: image.delay, loop: image.loop } : {}
  if (format === 'jpeg') return picture.jpeg({ quality: 85, progressive: true }).toBuffer()
  // At this effort a palette comes out with the very colours that went in.
  if (kind === 'palette') return picture.png({ palette: true, dither: 0, effort: 7 }).toBuffer()
  if (format === 'png') return picture.png({ adaptiveFiltering: true }).toBuffer()
  // Duplicate frames are kept, or the number of frames could not be checked afterwards.
  if (format === 'gif') return picture.gif({ ...times, effort: 4, keepDuplicateFrames: true }).toBuffer()
  if (kind !== 'lossless') return picture.webp({ ...times, quality: 85, effort: 2, mixed: kind === 'mixed' }).toBuffer()
  const isSmall = image.width * image.height * image.frames <= WELL_PACKED_PIXELS
  return picture.webp({ ...times, lossless: true, effort: isSmall ? 4 : 0 }).toBuffer()
}

/**
 * Reads an encoded image back: its header, or null unless format, size and frames are as prepared and no metadata is
 * left.
 */
export async function readBack(written: Buffer, prepared: Prepared): Promise<Metadata | null> {
  const result = await inspect(written)
  const extras = [result.exif, result.xmp, result.iptc, result.icc, result.tifftagPhotoshop, result.comments?.length]
  const faithful =
    result.format === prepared.format &&
    result.width === prepared.width &&
    result.height === prepared.height &&
    extras.every((extra) => !extra) &&
    (prepared.format === 'gif' ? sameFrames(result, prepared) : sameDuration(result, prepared))
  return faithful ? result : null
}

/** Whether an image has more than one frame. */
export const isAnimated = (image: Metadata) => (image.pages ?? 1) > 1

const sameFrames = ({ pages = 1, loop, delay }: Metadata, prepared: Prepared) =>
  pages === prepared.frames && (pages === 1 || (loop === prepared.loop && String(delay) === String(prepared.delay)))

/** WebP's encoder joins equal frames and adds up their times; when all are equal, a still is left. */
function sameDuration(result: Metadata, prepared: Prepared): boolean {
  if (prepared.frames === 1 || !isAnimated(result)) return !isAnimated(result)
  const duration = (delay: number[] = []) => delay.reduce((sum, one) => sum + one, 0)
  return duration(result.delay) === duration(prepared.delay) && result.loop === prepared.loop
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

/** Makes a small WebP of a still, never enlarged, without metadata. */
export async function stillWithin(picture: Sharp, side: number): Promise<Encoded> {
  const { data, info } = await shrink(picture, { width: side, height: side })
    .webp({ quality: 80 })
    .toBuffer({ resolveWithObject: true })
  return { bytes: data, ext: 'webp', width: info.width, height: info.height }
}
