import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '#server/core/errors.ts'
import { runs } from '#tests/helpers/depth.ts'
import { ALLOWED_PARTS, listImageParts } from '#tests/helpers/imageParts.ts'
import { testProcessor } from '#tests/helpers/imageProcessor.ts'
import {
  animatedImage,
  animatedPng,
  jpegSegment,
  noiseBytes,
  pngChunk,
  pngWithClaimedSize,
  withJpegSegments,
  withPngChunks,
} from '#tests/helpers/sampleImages.ts'

const { process: processImage } = testProcessor()

const places = { preview: { width: 60, height: 30, type: 'jpeg' as const }, display: { width: 100, height: 50 } }
const MARK = 'SECRETMARK'
const latin1 = (text: string) => Buffer.from(text, 'latin1')

let jpeg: Buffer
let progressive: Buffer
let png: Buffer
let gif: Buffer
let webp: Buffer
let thumbnail: Buffer
beforeAll(async () => {
  const speckled = sharp(noiseBytes(60 * 40 * 3), { raw: { width: 60, height: 40, channels: 3 } })
  jpeg = await speckled.clone().jpeg().toBuffer()
  progressive = await speckled.clone().jpeg({ progressive: true }).toBuffer()
  png = await speckled.clone().png().toBuffer()
  gif = await speckled.clone().gif().toBuffer()
  webp = await speckled.clone().webp().toBuffer()
  thumbnail = await speckled.clone().resize(8).jpeg().toBuffer()
})

/** Returns the error message, or `taken` after checking that no result contains metadata. */
async function outcome(bytes: Buffer): Promise<string> {
  try {
    const { original, preview, display } = await processImage(bytes, places)
    for (const file of [original, preview.bytes, display.bytes]) {
      expect(listImageParts(file).filter((part) => !ALLOWED_PARTS.has(part))).toEqual([])
      expect(file.includes(MARK)).toBe(false)
    }
    return 'taken'
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}
const TYPE = 'Please select a valid image file (JPEG, PNG, GIF, or WebP)'
const PIXELS = 'This image has too many pixels'
const INCOMPLETE = 'This image file is incomplete'

describe('JPEG segments', () => {
  const segments = (): Record<string, Buffer> => ({
    exif: jpegSegment(0xe1, Buffer.concat([latin1(`Exif\0\0II*\0\x08\0\0\0\0\0${MARK}`), thumbnail])),
    xmp: jpegSegment(0xe1, latin1(`http://ns.adobe.com/xap/1.0/\0<x>${MARK}</x>`)),
    extendedXmp: jpegSegment(
      0xe1,
      latin1(`http://ns.adobe.com/xmp/extension/\0${'A'.repeat(32)}\0\0\0\x0a\0\0\0\0${MARK}`),
    ),
    iptc: jpegSegment(0xed, latin1(`Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0\x0e\x1c\x02\x69\0\x0a${MARK}`)),
    comment: jpegSegment(0xfe, latin1(MARK)),
    jfif: jpegSegment(0xe0, latin1('JFIF\0\x01\x02\x01\0\x48\0\x48\0\0')),
    jfxxThumbnail: jpegSegment(0xe0, Buffer.concat([latin1('JFXX\0\x10'), thumbnail])),
    multiPicture: jpegSegment(0xe2, latin1('MPF\0II*\0\x08\0\0\0\0\0\0\0\0\0')),
    flashPix: jpegSegment(0xe2, latin1(`FPXR\0${MARK}`)),
    thermal: jpegSegment(0xe1, latin1(`FLIR\0\x01\0\0${MARK}`)),
    provenance: jpegSegment(0xeb, latin1(`JP\0\x01\0\0\0\x01\0\0\0\x20jumb${MARK}`)),
    profile: jpegSegment(0xe2, Buffer.concat([latin1('ICC_PROFILE\0\x01\x01'), noiseBytes(3000)])),
  })

  it.each([
    'exif',
    'xmp',
    'extendedXmp',
    'iptc',
    'comment',
    'jfif',
    'jfxxThumbnail',
    'multiPicture',
    'flashPix',
    'thermal',
    'provenance',
    'profile',
  ])('%s', async (name) => {
    const segment = segments()[name] ?? Buffer.alloc(0)
    const scan = jpeg.lastIndexOf(Buffer.from([0xff, 0xda]))
    const second = progressive.indexOf(latin1('\xff\xda'), progressive.indexOf(latin1('\xff\xda')) + 2)
    for (const file of [
      withJpegSegments(jpeg, segment),
      withJpegSegments(jpeg, ...Array<Buffer>(20).fill(segment)),
      Buffer.concat([jpeg.subarray(0, scan), segment, jpeg.subarray(scan)]),
      Buffer.concat([progressive.subarray(0, second), segment, progressive.subarray(second)]),
      Buffer.concat([jpeg.subarray(0, -2), segment, jpeg.subarray(-2)]),
      Buffer.concat([jpeg, segment]),
      Buffer.concat([jpeg, withJpegSegments(jpeg, segment)]),
    ]) {
      expect(await outcome(file)).toBe('taken')
    }
  })

  it('accepts segments in any order', async () => {
    const all = Object.values(segments())
    for (let turn = 0; turn < 20; turn++) {
      const order = [...noiseBytes(8, turn + 1)].map((byte) => all[byte % all.length] ?? jpeg)
      expect(await outcome(withJpegSegments(jpeg, ...order))).toBe('taken')
    }
  })

  it('rejects JPEG types that no browser shows', async () => {
    const frame = progressive.indexOf(latin1('\xff\xc2'))
    for (const kind of [0xc3, 0xc5, 0xcb, 0xcf, 0xf7]) {
      const bytes = Buffer.from(progressive)
      bytes[frame + 1] = kind
      expect(await outcome(bytes)).toBe(TYPE)
    }
  })
})

describe('PNG chunks', () => {
  it.each<[string, () => Buffer]>([
    ['tEXt', () => latin1(`Comment\0${MARK}`)],
    ['zTXt', () => Buffer.concat([latin1('Comment\0\0'), deflateSync(latin1(MARK))])],
    ['iTXt', () => latin1(`XML:com.adobe.xmp\0\0\0\0\0${MARK}`)],
    ['eXIf', () => latin1(`II*\0\x08\0\0\0\0\0${MARK}`)],
    ['tIME', () => Buffer.from([7, 234, 11, 21, 1, 1, 1])],
    ['gAMA', () => Buffer.from([0, 0, 0, 0])],
    ['cHRM', () => Buffer.alloc(32)],
    ['sRGB', () => Buffer.from([9])],
    ['iCCP', () => Buffer.concat([latin1('x\0\0'), deflateSync(noiseBytes(500))])],
    ['sBIT', () => Buffer.from([5, 6, 5])],
    ['bKGD', () => Buffer.alloc(6)],
    ['sPLT', () => latin1(`pal\0\x08${'abcdef'.repeat(9)}`)],
    ['pCAL', () => latin1(`${MARK}\0`)],
    ['caBX', () => latin1(MARK)],
    ['acTL', () => Buffer.from([0, 0, 19, 136, 0, 0, 0, 0])],
    ['zzZz', () => noiseBytes(50_000)],
  ])('%s', async (name, data) => {
    const chunk = pngChunk(name, data())
    expect(await outcome(withPngChunks(png, chunk))).toBe('taken')
    expect(await outcome(withPngChunks(png, chunk, chunk))).toBe('taken')
    expect(await outcome(Buffer.concat([png.subarray(0, -12), chunk, png.subarray(-12)]))).toBe('taken')
  })

  it('accepts an animated PNG and rejects an unknown critical chunk', async () => {
    expect(await outcome(animatedPng(png))).toBe('taken')
    expect(await outcome(withPngChunks(png, pngChunk('ABCD', latin1(MARK))))).toBe(TYPE)
  })
})

describe('GIF', () => {
  const head = latin1('GIF89a\x04\0\x04\0\x80\0\0\0\0\0\xff\xff\xff')
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0])
  const control = (disposal: number, delay: number) => Buffer.from([0x21, 0xf9, 4, disposal << 2, delay, 0, 0, 0])
  const end = Buffer.from([0x3b])
  const comment = latin1(`!\xfe\x0a${MARK}\0`)
  const plainText = latin1(`!\x01\x0c${'\0'.repeat(12)}\x0a${MARK}\0`)
  const xmp = latin1(`!\xff\x0bXMP DataXMP\x0a${MARK}\0`)
  const loop = latin1('!\xff\x0bNETSCAPE2.0\x03\x01\x05\0\0')

  it('drops comment, text and application extensions', async () => {
    for (const extension of [comment, plainText, xmp, loop]) {
      expect(await outcome(Buffer.concat([head, extension, frame, end]))).toBe('taken')
      expect(await outcome(Buffer.concat([head, extension, frame, extension, frame, extension, end]))).toBe('taken')
      expect(await outcome(Buffer.concat([head, frame, end, extension]))).toBe('taken')
    }
  })

  it('treats a looping GIF with one frame as a still', async () => {
    const { animated, original } = await processImage(Buffer.concat([head, loop, frame, end]), places)
    expect([animated, listImageParts(original).includes('NETSCAPE2.0')]).toEqual([false, false])
  })

  it('accepts every disposal method, with and without delays', async () => {
    for (let disposal = 0; disposal < 8; disposal++) {
      for (const delay of [0, 1, 255]) {
        const frames = Array<Buffer[]>(4)
          .fill([control(disposal, delay), frame])
          .flat()
        expect(await outcome(Buffer.concat([head, loop, ...frames, end]))).toBe('taken')
      }
    }
  })
})

describe('WebP', () => {
  it('accepts lossy, lossless, transparent and animated files with metadata', async () => {
    const speckled = sharp(noiseBytes(60 * 40 * 4), { raw: { width: 60, height: 40, channels: 4 } })
    for (const options of [{}, { lossless: true }, { nearLossless: true }, { alphaQuality: 0 }]) {
      const attached = speckled
        .clone()
        .withExif({ IFD0: { Model: MARK } })
        .withXmp(`<x>${MARK}</x>`)
      const bytes = await attached.withIccProfile('p3').webp(options).toBuffer()
      expect(bytes.includes(MARK)).toBe(true)
      expect(await outcome(bytes)).toBe('taken')
      expect(await outcome(await animatedImage(4).withXmp(`<x>${MARK}</x>`).webp(options).toBuffer())).toBe('taken')
    }
  })
})

describe('polyglot files', () => {
  const others = { zip: 'PK\x03\x04', pdf: '%PDF-1.4\n', html: '<html><script>', php: '<?php ' }
  it.each(Object.entries(others))('drops %s after an image and rejects it before one', async (_name, start) => {
    const other = latin1(start + MARK)
    for (const picture of [jpeg, png, gif, webp]) {
      expect(await outcome(Buffer.concat([picture, other]))).toBe('taken')
      expect(await outcome(Buffer.concat([other, picture]))).toBe(TYPE)
    }
    expect(await outcome(withJpegSegments(jpeg, jpegSegment(0xfe, other)))).toBe('taken')
  })
})

it('rejects sides of millions of pixels', async () => {
  expect(await outcome(pngWithClaimedSize(1, 30_000_000, deflateSync(Buffer.alloc(9))))).toBe(PIXELS)
  expect(await outcome(pngWithClaimedSize(1, 65_535, Buffer.alloc(2 * 65_535)))).toBe('taken')
})

it('cleans or rejects up to 1,000 corrupted files', async () => {
  const seeds = [
    jpeg,
    progressive,
    png,
    gif,
    webp,
    await animatedImage(4).gif().toBuffer(),
    await animatedImage(4).webp().toBuffer(),
  ]
  const found = new Set<string>()
  for (let turn = 0; turn < runs(1000); turn++) {
    const bytes = Buffer.from(seeds[turn % seeds.length] ?? jpeg)
    const random = noiseBytes(40, turn + 1)
    for (let at = 0; at <= (random[0] ?? 0) % 8; at++) {
      const reach = at % 2 ? bytes.length : Math.min(400, bytes.length)
      bytes[random.readUInt16LE(1 + at * 3) % reach] = random[3 + at * 3] ?? 0
    }
    found.add(await outcome(bytes))
  }
  expect([...found].filter((text) => !['taken', TYPE, PIXELS, INCOMPLETE].includes(text))).toEqual([])
  expect(found).toContain('taken')
})
