import sharp, { type Sharp } from 'sharp'
import { HASH_BYTES, VARIANT_BYTES } from './perceptualIndex.ts'

/** An image is hashed in grey, at this width and height in pixels. */
const SIDE = 64
/** The hash has one bit for each of the lowest 16 × 16 frequencies. */
const FREQUENCIES = 16
const BITS = FREQUENCIES ** 2
/** A frequency is clear if it differs so much from the median that a new compression does not change its bit. */
const CLEAR_DIFFERENCE = 12
/** Images with fewer clear bits are nearly flat: different ones would match. */
const MIN_CLEAR_BITS = 150
const MIN_CLEAR_BITS_OF_CROPS = 120
/** An image is also nearly flat if it has details in few of its 8 × 8 blocks: one bright corner sets many bits. */
const MIN_DETAILED_BLOCKS = 20
const BLOCK_SIDE = 8
/** Difference of brightness that makes a detail. */
const MIN_CONTRAST = 16
/** Crops up to this part of a side are recognized. */
const CROP = 0.03
/** Width and height in pixels at which an image is cropped. */
const CROPPED_SIDE = 680
/** Cropped sides of the variants of a blocked image: left, top, right, bottom. The first is the image itself. */
const CROPS = [
  [0, 0, 0, 0],
  [0.5, 0.5, 0.5, 0.5],
  [1, 1, 1, 1],
  [1, 0, 0, 0],
  [0, 1, 0, 0],
  [0, 0, 1, 0],
  [0, 0, 0, 1],
  [1, 1, 0, 0],
  [0, 1, 1, 0],
  [1, 0, 0, 1],
  [0, 0, 1, 1],
] as const

/** `COSINES[k * SIDE + n]`: factor of the pixel n in frequency k + 1. The frequency 0 is the brightness. */
const COSINES = Float64Array.from({ length: FREQUENCIES * SIDE }, (_, index) => {
  const [frequency, pixel] = [Math.floor(index / SIDE) + 1, index % SIDE]
  return Math.cos(((2 * pixel + 1) * frequency * Math.PI) / (2 * SIDE)) * Math.sqrt(2 / SIDE)
})

/**
 * Hashes how an image looks: compression, scaling and small crops change few bits. Each bit tells whether a frequency
 * of the discrete cosine transform is above the median, as in pHash and PDQ.
 * @returns VARIANT_BYTES bytes
 */
export const hashImage = async (image: Sharp): Promise<Buffer> => hashGrey(await readGrey(image))

async function readGrey(image: Sharp): Promise<Float64Array> {
  const { data, info } = await image.resize(SIDE, SIDE, { fit: 'fill' }).raw().toBuffer({ resolveWithObject: true })
  return toGrey(data, info.channels)
}

/**
 * Hashes a blocked image and crops of it, so that an upload is hashed once.
 * @returns the variants, or null for a nearly flat image, which has no perceptual hash
 */
export async function hashBlockedImage(image: Sharp): Promise<Buffer | null> {
  const { data, info } = await image
    .resize(CROPPED_SIDE, CROPPED_SIDE, { fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const variants: Buffer[] = []
  for (const [left, top, right, bottom] of CROPS) {
    const [x, y] = [width * CROP, height * CROP].map(Math.round) as [number, number]
    const [x1, y1, x2, y2] = [left * x, top * y, right * x, bottom * y].map(Math.floor) as [
      number,
      number,
      number,
      number,
    ]
    const area = { left: x1, top: y1, width: width - x1 - x2, height: height - y1 - y2 }
    const pixels = await readGrey(sharp(data, { raw: { width, height, channels } }).extract(area))
    const variant = hashGrey(pixels)
    const minClearBits = variants.length === 0 ? MIN_CLEAR_BITS : MIN_CLEAR_BITS_OF_CROPS
    const isFlat = countClearBits(variant) < minClearBits || countDetailedBlocks(pixels) < MIN_DETAILED_BLOCKS
    if (isFlat && variants.length === 0) return null
    // A crop can be flat if the image has a frame.
    if (!isFlat) variants.push(variant)
  }
  return Buffer.concat(variants)
}

/** Returns the brightness of each pixel, on white, from 0 to 255. */
function toGrey(pixels: Uint8Array, channels: number): Float64Array {
  const hasColour = channels > 2
  return Float64Array.from({ length: SIDE * SIDE }, (_, index) => {
    const at = index * channels
    const red = pixels[at] ?? 0
    const grey = hasColour ? 0.299 * red + 0.587 * (pixels[at + 1] ?? 0) + 0.114 * (pixels[at + 2] ?? 0) : red
    const opacity = channels % 2 === 0 ? (pixels[at + channels - 1] ?? 0) / 255 : 1
    return grey * opacity + 255 * (1 - opacity)
  })
}

function hashGrey(pixels: Float64Array): Buffer {
  const frequencies = transform(transform(pixels, SIDE), FREQUENCIES)
  const sorted = Float64Array.from(frequencies).sort()
  const median = ((sorted[BITS / 2 - 1] ?? 0) + (sorted[BITS / 2] ?? 0)) / 2
  const hash = Buffer.alloc(VARIANT_BYTES)
  const setBit = (offset: number, index: number) => {
    const byte = offset + (index >> 3)
    hash[byte] = (hash[byte] ?? 0) | (1 << (index & 7))
  }
  frequencies.forEach((value, index) => {
    if (value > median) setBit(0, index)
    if (Math.abs(value - median) > CLEAR_DIFFERENCE) setBit(HASH_BYTES, index)
  })
  return hash
}

/** Applies the discrete cosine transform to each row. @returns the frequencies, with rows and columns exchanged */
function transform(values: Float64Array, rows: number): Float64Array {
  const frequencies = new Float64Array(FREQUENCIES * rows)
  for (let frequency = 0; frequency < FREQUENCIES; frequency++) {
    for (let row = 0; row < rows; row++) {
      let sum = 0
      for (let at = 0; at < SIDE; at++) sum += (COSINES[frequency * SIDE + at] ?? 0) * (values[row * SIDE + at] ?? 0)
      frequencies[frequency * rows + row] = sum
    }
  }
  return frequencies
}

const countClearBits = (hash: Uint8Array): number =>
  hash.subarray(HASH_BYTES).reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0)

function countDetailedBlocks(pixels: Float64Array): number {
  const perRow = SIDE / BLOCK_SIDE
  const darkest = new Float64Array(perRow ** 2).fill(255)
  const brightest = new Float64Array(perRow ** 2)
  pixels.forEach((value, index) => {
    const block = Math.floor(index / SIDE / BLOCK_SIDE) * perRow + Math.floor((index % SIDE) / BLOCK_SIDE)
    darkest[block] = Math.min(darkest[block] ?? 0, value)
    brightest[block] = Math.max(brightest[block] ?? 0, value)
  })
  return brightest.filter((value, block) => value - (darkest[block] ?? 0) > MIN_CONTRAST).length
}
