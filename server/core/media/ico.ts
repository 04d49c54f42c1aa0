import { ImageRejectedError } from './encodeImage.ts'

/** An ICO file starts with these bytes, then with the number of its images. */
const SIGNATURE = Buffer.from([0, 0, 1, 0])
const HEADER_BYTES = 6
const ENTRY_BYTES = 16
const BITMAP_HEADER_BYTES = 40

type Pixels = { data: Buffer; width: number; height: number }

/**
 * Returns the largest image of an ICO file: a PNG file, or RGBA pixels. Returns null for other files.
 * @throws ImageRejectedError if the image is broken, or has a palette
 */
export function decodeIco(bytes: Buffer): Buffer | Pixels | null {
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return null
  try {
    const image = findLargest(bytes)
    return image.readUInt32LE(0) === BITMAP_HEADER_BYTES ? decodeBitmap(image) : image
  } catch (error) {
    if (error instanceof ImageRejectedError) throw error
    // Offsets that point outside of the file
    throw new ImageRejectedError('type', 'the ICO is broken')
  }
}

function findLargest(bytes: Buffer): Buffer {
  let largest = { width: 0, start: 0, length: 0 }
  for (let index = 0; index < bytes.readUInt16LE(4); index++) {
    const at = HEADER_BYTES + ENTRY_BYTES * index
    // 0 stands for 256 pixels.
    const width = bytes.readUInt8(at) || 256
    if (width > largest.width)
      largest = { width, length: bytes.readUInt32LE(at + 8), start: bytes.readUInt32LE(at + 12) }
  }
  return bytes.subarray(largest.start, largest.start + largest.length)
}

/** Decodes a bitmap of 32 bits per pixel, whose rows run from bottom to top. */
function decodeBitmap(image: Buffer): Pixels {
  const width = image.readUInt32LE(4)
  // A mask of the same size is below the pixels.
  const height = image.readUInt32LE(8) / 2
  const pixels = image.subarray(BITMAP_HEADER_BYTES, BITMAP_HEADER_BYTES + width * height * 4)
  if (image.readUInt16LE(14) !== 32 || image.readUInt32LE(16) !== 0) {
    throw new ImageRejectedError('type', 'its largest image has a palette. Save it as a PNG')
  }
  if (pixels.length === 0 || pixels.length !== width * height * 4)
    throw new ImageRejectedError('type', 'the ICO is broken')
  const data = Buffer.alloc(pixels.length)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = ((height - 1 - y) * width + x) * 4
      const [blue = 0, green = 0, red = 0, alpha = 0] = pixels.subarray(from, from + 4)
      data.set([red, green, blue, alpha], (y * width + x) * 4)
    }
  }
  return { data, width, height }
}

/** Packs square PNG images into an ICO file. */
export function packIco(images: { side: number; png: Buffer }[]): Buffer {
  const header = Buffer.alloc(HEADER_BYTES + ENTRY_BYTES * images.length)
  SIGNATURE.copy(header)
  header.writeUInt16LE(images.length, 4)
  let offset = header.length
  for (const [index, { side, png }] of images.entries()) {
    const at = HEADER_BYTES + ENTRY_BYTES * index
    header.writeUInt8(side, at)
    header.writeUInt8(side, at + 1)
    header.writeUInt16LE(1, at + 4)
    header.writeUInt16LE(32, at + 6)
    header.writeUInt32LE(png.length, at + 8)
    header.writeUInt32LE(offset, at + 12)
    offset += png.length
  }
  return Buffer.concat([header, ...images.map(({ png }) => png)])
}
