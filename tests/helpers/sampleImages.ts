import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'

export type Rgb = [number, number, number]

/** Corner colours of test images, clockwise from top left. They distinguish all eight Exif orientations. */
export const CORNER_COLOURS: Rgb[] = [
  [220, 40, 40],
  [40, 200, 60],
  [50, 60, 220],
  [230, 210, 50],
]

/** Returns raw pixels, with one colour per quarter. `turn` rotates the colours by that many quarters. */
export function quarteredPixels(width: number, height: number, turn = 0): Buffer {
  const half = (quarter: number, pixels: number) =>
    Buffer.alloc(3 * pixels, Buffer.from(CORNER_COLOURS[(quarter + turn) % 4] ?? []))
  const [left, top] = [Math.ceil(width / 2), Math.ceil(height / 2)]
  const row = (first: number, second: number) => Buffer.concat([half(first, left), half(second, width - left)])
  return Buffer.concat([...Array(top).fill(row(0, 1)), ...Array(height - top).fill(row(3, 2))])
}

/** Creates a sharp pipeline for a still image. */
export const stillImage = (width = 64, height = 48) =>
  sharp(quarteredPixels(width, height), { raw: { width, height, channels: 3 } })

/** Creates a small file with 49 million pixels, more than the site accepts for a still image. */
export const oversizedImage = () => pngWithClaimedSize(7000, 7000, Buffer.alloc(7001 * 7000))

/** Creates a sharp pipeline for an animation. Each frame rotates the colours by one corner. */
export function animatedImage(frames: number, width = 32, height = 24) {
  const pixels = Buffer.concat(Array.from({ length: frames }, (_, frame) => quarteredPixels(width, height, frame)))
  return sharp(pixels, { raw: { width, height: height * frames, channels: 3, pageHeight: height } })
}

/** Returns incompressible noise. The same seed returns the same bytes. */
export function noiseBytes(length: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(length)
  let state = seed
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff
    bytes[at] = state >> 16
  }
  return bytes
}

/** Returns the channel values of one pixel. */
export async function readPixel(bytes: Uint8Array, x: number, y: number, page = 0): Promise<number[]> {
  const { data, info } = await sharp(bytes, { page }).raw().toBuffer({ resolveWithObject: true })
  const at = (y * info.width + x) * info.channels
  return [...data.subarray(at, at + info.channels)]
}

/** Returns the colours near the four corners, clockwise from top left. */
export async function readCorners(bytes: Uint8Array, page = 0): Promise<number[][]> {
  const { width = 0, height = 0 } = await sharp(bytes, { page }).metadata()
  const [right, bottom] = [width - 3, height - 3]
  return Promise.all(
    [
      [2, 2],
      [right, 2],
      [right, bottom],
      [2, bottom],
    ].map(([x = 0, y = 0]) => readPixel(bytes, x, y, page)),
  )
}

export function pngChunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** Inserts chunks after the header of a PNG. */
export const withPngChunks = (png: Buffer, ...chunks: Buffer[]) =>
  Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)])

/** Creates a grey PNG. Its header has the given size, even if the pixels do not match. */
export function pngWithClaimedSize(width: number, height: number, pixels: Uint8Array): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const chunks = [pngChunk('IHDR', header), pngChunk('IDAT', deflateSync(pixels)), pngChunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([signature, ...chunks])
}

/** Converts a PNG to an animated PNG with two equal frames. */
export function animatedPng(png: Buffer): Buffer {
  const frame = (sequence: number) => {
    const control = Buffer.alloc(26)
    control.writeUInt32BE(sequence, 0)
    png.copy(control, 4, 16, 24)
    control.writeUInt16BE(10, 20)
    control.writeUInt16BE(100, 22)
    return pngChunk('fcTL', control)
  }
  const data = png.subarray(png.indexOf('IDAT') + 4, png.indexOf('IEND') - 8)
  const second = pngChunk('fdAT', Buffer.concat([Buffer.from([0, 0, 0, 2]), data]))
  const animated = withPngChunks(png, pngChunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0])), frame(0))
  const end = animated.length - 12
  return Buffer.concat([animated.subarray(0, end), frame(1), second, animated.subarray(end)])
}

/** Returns a GIF with many 1×1 frames on a square canvas, in as few bytes as possible. */
export function gifWithFrames(frames: number, side = 1): Buffer {
  const screen = Buffer.from([...Buffer.from('GIF89a'), 0, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255])
  screen.writeUInt16LE(side, 6)
  screen.writeUInt16LE(side, 8)
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0])
  return Buffer.concat([screen, ...Array<Buffer>(frames).fill(frame), Buffer.from([0x3b])])
}

/** Creates a JPEG segment; `marker` is the byte after FF. */
export function jpegSegment(marker: number, data: Uint8Array): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

/** Inserts segments after the start marker of a JPEG. */
export const withJpegSegments = (jpeg: Buffer, ...segments: Buffer[]) =>
  Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)])

/** Texts in the metadata of `imageWithMetadata`. The site must not store them. */
export const METADATA_MARKERS = [
  'trailing secret',
  'WGS-84',
  'secret camera',
  'http://ns.adobe.com',
  'Photoshop 3.0',
  'Exif',
]

/** Creates an image with the metadata that cameras and editors write. */
export async function imageWithMetadata(picture: Sharp, format: 'jpeg' | 'png' | 'webp'): Promise<Buffer> {
  const encoded = await picture
    .withExif({
      IFD0: { Model: 'secret camera' },
      IFD3: { GPSLatitude: '52/1 31/1 12/1', GPSLatitudeRef: 'N', GPSMapDatum: 'WGS-84' },
    })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><a xmlns:b="http://ns.adobe.com/xap/1.0/"/></x:xmpmeta>')
    .toFormat(format)
    .toBuffer()
  const trailing = Buffer.from('trailing secret')
  if (format !== 'jpeg') return Buffer.concat([encoded, trailing])
  const iptc = Buffer.from('Photoshop 3.0\x008BIM\x04\x04\x00\x00\x00\x00\x00\x08\x1c\x02\x69\x00\x03abc', 'latin1')
  const comment = jpegSegment(0xfe, Buffer.from('secret camera'))
  return Buffer.concat([withJpegSegments(encoded, jpegSegment(0xed, iptc), comment), trailing])
}

/**
 * Creates a grey progressive JPEG of 8×8 pixels with the given number of scans. The first scan has the DC coefficient.
 * The next 126 have the 63 AC coefficients (two scans each, all zero). Further scans repeat the last and are invalid.
 */
export function jpegWithScans(scans: number): Buffer {
  // the Huffman table has one code: a 0 bit means that the coefficients are zero. Each scan is this bit and padding.
  const table = (kind: number) => jpegSegment(0xc4, Buffer.from([kind, 1, ...Array(15).fill(0), 0]))
  const scan = (coefficient: number, precision: number) =>
    Buffer.concat([jpegSegment(0xda, Buffer.from([1, 1, 0, coefficient, coefficient, precision])), Buffer.from([0x7f])])
  const coefficients = Array.from({ length: 63 }, (_, index) => index + 1)
  const all = [scan(0, 0), ...coefficients.map((one) => scan(one, 0x01)), ...coefficients.map((one) => scan(one, 0x10))]
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xdb, Buffer.from([0, ...Array(64).fill(1)])),
    jpegSegment(0xc2, Buffer.from([8, 0, 8, 0, 8, 1, 1, 0x11, 0])),
    table(0x00),
    table(0x10),
    ...Array.from({ length: scans }, (_, index) => all[Math.min(index, all.length - 1)] ?? Buffer.alloc(0)),
    Buffer.from([0xff, 0xd9]),
  ])
}
