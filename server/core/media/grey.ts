import { deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { openFile, openRaw } from './codec.ts'
import { pngOf, withProfile } from './png.ts'

/**
 * Opens a greyscale image whose values a profile of colours describes. libvips ignores such a profile, and any profile of
 * 16 bits of grey. Browsers use it as if the image had three equal channels.
 * @param depth of the image, in bits
 */
export async function openGrey(bytes: Buffer, profile: Buffer, depth: 8 | 16 = 8): Promise<Sharp> {
  const { data, info } = await openFile(bytes, false, { ignoreIcc: true })
    .toColourspace(depth === 16 ? 'grey16' : 'b-w')
    .raw({ depth: depth === 16 ? 'ushort' : 'uchar' })
    .toBuffer({ resolveWithObject: true })
  const values = depth === 16 ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data
  const table = await createTable(profile, depth)
  const { channels } = info
  if (channels !== 1 && channels !== 2) throw new Error('a grey image has colours')
  const pixels = Buffer.alloc(values.length)
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? 0
    // The second channel is alpha.
    pixels[at] = channels === 2 && at % 2 === 1 ? value >> (depth - 8) : (table[value] ?? 0)
  }
  return openRaw(pixels, info, channels)
}

/** Returns the sRGB value of every grey value, as libvips converts three equal channels with the profile. */
async function createTable(profile: Buffer, depth: 8 | 16): Promise<Uint8Array> {
  const rows = depth === 16 ? 256 : 1
  const lines = Array.from({ length: rows }, (_, row) => {
    const line = Buffer.alloc(1 + (256 * 3 * depth) / 8)
    for (let at = 0; at < 256 * 3; at++) {
      const column = Math.floor(at / 3)
      if (depth === 16) line.writeUInt16BE(row * 256 + column, 1 + at * 2)
      else line[1 + at] = column
    }
    return line
  })
  const header = Buffer.from([0, 0, 1, 0, 0, 0, rows >> 8, rows & 255, depth, 2, 0, 0, 0])
  const png = pngOf([
    { type: 'IHDR', data: header },
    { type: 'IDAT', data: deflateSync(Buffer.concat(lines), { level: 1 }) },
  ])
  const image = sharp(withProfile(png, profile)).toColourspace('srgb')
  if (depth === 16) image.withIccProfile('srgb', { attach: false })
  const pixels = await image.raw().toBuffer()
  return Uint8Array.from({ length: rows * 256 }, (_, at) => pixels[at * 3] ?? 0)
}
