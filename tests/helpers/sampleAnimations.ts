import sharp from 'sharp'
import { pngChunks } from '#server/core/media/apng.ts'
import { pngChunk } from './sampleImages.ts'

export type Frame = {
  left: number
  top: number
  width: number
  height: number
  /** red, green, blue, alpha */
  colour: [number, number, number, number]
  /** disposal method (keep, clear, restore): 0 to 2 in APNG, 1 to 3 in GIF */
  dispose?: number
  /** APNG blending: 0 replaces pixels, 1 draws over them */
  blend?: number
  /** frame duration in ms */
  delay?: number
}

const u32 = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4)
  return bytes
}

/**
 * Creates an animated PNG. Each frame is a rectangle of one colour.
 * @param hidden colour of a default image that is not part of the animation
 */
export async function createApng(
  width: number,
  height: number,
  parts: Frame[],
  hidden?: Frame['colour'],
): Promise<Buffer> {
  let sequence = 0
  const control = ({ left, top, width, height, dispose = 0, blend = 0, delay = 100 }: Frame) =>
    pngChunk(
      'fcTL',
      Buffer.concat([
        u32(sequence++, width, height, left, top),
        Buffer.from([delay >> 8, delay & 255, 3, 232, dispose, blend]),
      ]),
    )
  const chunks = [pngChunk('acTL', u32(parts.length, 0))]
  let head = Buffer.alloc(0)
  if (hidden) {
    const png = await plainPng({ width, height, colour: hidden })
    head = png.subarray(0, 33)
    chunks.push(pngChunk('IDAT', dataOf(png)))
  }
  for (const part of parts) {
    const png = await plainPng(part)
    chunks.push(control(part))
    if (head.length > 0) chunks.push(pngChunk('fdAT', Buffer.concat([u32(sequence++), dataOf(png)])))
    else {
      head = png.subarray(0, 33)
      chunks.push(pngChunk('IDAT', dataOf(png)))
    }
  }
  return Buffer.concat([head, ...chunks, pngChunk('IEND', Buffer.alloc(0))])
}

const plainPng = ({ width, height, colour }: Pick<Frame, 'width' | 'height' | 'colour'>) =>
  sharp(Buffer.alloc(width * height * 4, Buffer.from(colour)), { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer()

const dataOf = (png: Buffer) =>
  Buffer.concat([...pngChunks(png)].flatMap(({ type, data }) => (type === 'IDAT' ? [data] : [])))

/** palette of `createGif` */
export const GIF_COLOURS = [
  [0, 0, 0],
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
]

/** Creates a GIF. Each frame is a rectangle of one palette colour, opaque by default. */
export function createGif(
  width: number,
  height: number,
  parts: (Omit<Frame, 'colour' | 'blend'> & { index: number; transparent?: number })[],
  background = 0,
): Buffer {
  const screen = Buffer.from([
    ...Buffer.from('GIF89a'),
    width,
    0,
    height,
    0,
    0x81,
    background,
    0,
    ...GIF_COLOURS.flat(),
  ])
  const images = parts.map(({ left, top, width, height, index, transparent, dispose = 1, delay = 100 }) => {
    // LZW codes get longer as their table grows; a clear code before every second pixel resets it, to keep three bits
    const codes = Array.from({ length: width * height }, (_, pixel) => (pixel % 2 ? [index] : [4, index])).flat()
    let bits = ''
    for (const code of [...codes, 5]) bits = code.toString(2).padStart(3, '0') + bits
    const data: number[] = []
    for (let end = bits.length; end > 0; end -= 8) data.push(Number.parseInt(bits.slice(Math.max(0, end - 8), end), 2))
    const blocks: number[] = []
    for (let at = 0; at < data.length; at += 255) {
      const block = data.slice(at, at + 255)
      blocks.push(block.length, ...block)
    }
    const flags = (dispose << 2) | (transparent === undefined ? 0 : 1)
    return Buffer.from([
      ...[0x21, 0xf9, 4, flags, delay / 10, 0, transparent ?? 0, 0],
      ...[0x2c, left, 0, top, 0, width, 0, height, 0, 0, 2],
      ...blocks,
      0,
    ])
  })
  return Buffer.concat([screen, ...images, Buffer.from([0x3b])])
}
