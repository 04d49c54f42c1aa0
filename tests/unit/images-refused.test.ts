import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '#server/core/errors.ts'
import { isDeep, runs } from '#tests/helpers/depth.ts'
import { testProcessor } from '#tests/helpers/imageProcessor.ts'
import { createApng, type Frame } from '#tests/helpers/sampleAnimations.ts'
import {
  animatedImage,
  gifWithFrames,
  jpegSegment,
  noiseBytes,
  pngChunk,
  pngWithClaimedSize,
  stillImage,
  withJpegSegments,
  withPngChunks,
} from '#tests/helpers/sampleImages.ts'

const { process: processImage } = testProcessor()

const places = { preview: { width: 40, height: 20 }, display: { width: 100, height: 50 } }
const type = { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'Please select a valid image file (JPEG, PNG, GIF, or WebP)' }
const incomplete = { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'This image file is incomplete' }
const pixels = { code: 'PAYLOAD_TOO_LARGE', message: 'This image has too many pixels' }
const size = { code: 'PAYLOAD_TOO_LARGE', message: 'File size must be less than 5MB' }

const refusal = (bytes: Uint8Array) =>
  processImage(bytes, places).then(
    () => 'taken',
    (error: unknown) => error,
  )
const formats = ['jpeg', 'png', 'gif', 'webp'] as const
const samples: Record<string, Buffer> = {}
const sample = (name: string) => samples[name] ?? Buffer.alloc(0)

beforeAll(async () => {
  const speckled = sharp(noiseBytes(60 * 40 * 3), { raw: { width: 60, height: 40, channels: 3 } })
  for (const format of formats) samples[format] = await speckled.clone().toFormat(format).toBuffer()
  samples.progressive = await speckled.clone().jpeg({ progressive: true }).toBuffer()
  samples.animatedGif = await animatedImage(4).gif().toBuffer()
  samples.animatedWebp = await animatedImage(4).webp().toBuffer()
})

describe('unsupported formats', () => {
  const latin1 = (text: string) => Buffer.from(text, 'latin1')
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['one byte', latin1('\xff')],
    ['SVG', latin1('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>')],
    [
      'SVG after a declaration',
      latin1('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    ],
    ['HTML', latin1('<!doctype html><script>alert(1)</script>')],
    ['PDF', latin1('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n')],
    ['ZIP', latin1('PK\x03\x04')],
    ['BMP', latin1(`BM${'\0'.repeat(60)}`)],
    ['icon', latin1('\0\0\x01\0\x01\0')],
    ['PPM', latin1('P6 2 2 255\nabcdefghijkl')],
    ['WAV', latin1('RIFF\x24\0\0\0WAVEfmt ')],
    ['GIF with HTML behind its name', latin1('GIF89a/*<script>alert(1)</script>*/=1;')],
    ['JPEG with HTML behind its mark', latin1('\xff\xd8\xff\xe0<script>alert(1)</script>')],
    ['PNG mark and SVG', latin1('\x89PNG\r\n\x1a\n<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['WebP mark and HTML', latin1('RIFF\x30\0\0\0WEBP<!doctype html><script>alert(1)</script>')],
    ['random bytes', noiseBytes(5000)],
    ['random bytes behind a JPEG mark', Buffer.concat([latin1('\xff\xd8\xff'), noiseBytes(5000)])],
  ])('refuses %s', async (_name, bytes) => {
    expect(await refusal(bytes)).toMatchObject(type)
  })

  it.each(['tiff', 'avif'] as const)('rejects a valid %s', async (format) => {
    expect(await refusal(await stillImage().toFormat(format).toBuffer())).toMatchObject(type)
  })

  it('disables all other decoders', async () => {
    await import('#server/core/media/codec.ts')
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    await expect(sharp(svg).metadata()).rejects.toThrow('unsupported image format')
  })
})

describe('broken files', () => {
  it.each(['jpeg', 'progressive', 'png', 'gif', 'webp', 'animatedGif', 'animatedWebp'])(
    'refuses a %s cut off anywhere',
    async (name) => {
      const whole = sample(name)
      expect(await refusal(whole)).toBe('taken')
      for (const part of [0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.97]) {
        const result = await refusal(whole.subarray(0, Math.floor(whole.length * part)))
        expect([type.message, incomplete.message], `${part}`).toContain((result as AppError).message)
      }
    },
  )

  it.each(['jpeg', 'progressive', 'png', 'webp'])('says that half a %s is incomplete', async (name) => {
    const whole = sample(name)
    expect(await refusal(whole.subarray(0, whole.length >> 1))).toMatchObject(incomplete)
  })

  it('rejects a PNG with wrong checksums', async () => {
    const bytes = Buffer.from(sample('png'))
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 0x55
    expect(await refusal(bytes)).toMatchObject(type)
  })

  it.runIf(isDeep).each(formats)(
    'answers single wrong bytes in a %s with a picture or one of its refusals',
    async (format) => {
      const places200 = noiseBytes(800, 7)
      for (let turn = 0; turn < runs(200); turn++) {
        const bytes = Buffer.from(sample(format))
        bytes[places200.readUInt16LE(turn * 4) % bytes.length] = places200[turn * 4 + 3] ?? 0
        const result = await refusal(bytes)
        if (result === 'taken') continue
        expect(result).toBeInstanceOf(AppError)
        expect([type, incomplete, pixels]).toContainEqual({
          code: (result as AppError).code,
          message: (result as AppError).message,
        })
      }
    },
    60_000,
  )
})

describe('harmless defects of real files', () => {
  const taken = async (bytes: Buffer) => expect(await refusal(bytes)).toBe('taken')

  it('accepts junk after the end', async () => {
    for (const format of formats) await taken(Buffer.concat([sample(format), noiseBytes(3000)]))
  })

  it("takes a phone's wrong scan header, bytes before a marker, unknown segments and a broken profile", async () => {
    const jpeg = sample('jpeg')
    const scan = jpeg.lastIndexOf(Buffer.from([0xff, 0xda]))
    const wrong = Buffer.from(jpeg)
    wrong.fill(0, scan + jpeg.readUInt16BE(scan + 2) - 1, scan + jpeg.readUInt16BE(scan + 2) + 2)
    expect(wrong.equals(jpeg)).toBe(false)
    await taken(wrong)
    await taken(Buffer.concat([jpeg.subarray(0, scan), Buffer.from([1, 2, 3]), jpeg.subarray(scan)]))
    await taken(withJpegSegments(jpeg, jpegSegment(0xef, noiseBytes(100)), jpegSegment(0xe5, noiseBytes(50))))
    const profile = Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1'), noiseBytes(300)])
    await taken(withJpegSegments(jpeg, jpegSegment(0xe2, profile)))
    const exif = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), noiseBytes(100)])
    await taken(withJpegSegments(jpeg, jpegSegment(0xe1, exif)))
  })

  it.each(['jpeg', 'progressive'])('takes a %s without its last two bytes, if all pixels decode', async (name) => {
    const whole = sample(name)
    await taken(whole.subarray(0, -2))
    await taken(whole.subarray(0, -1))
    expect(await refusal(whole.subarray(0, -40))).toMatchObject(incomplete)
  })

  it('accepts a PNG with unknown chunks and a GIF without its last byte', async () => {
    await taken(withPngChunks(sample('png'), pngChunk('teSt', noiseBytes(100)), pngChunk('tEXt', Buffer.from('a\0b'))))
    await taken(sample('animatedGif').subarray(0, -1))
  })
})

it.each([
  [300, 17_000, 'An animated PNG can be at most 16383 pixels wide and high'],
  [17_000, 300, 'An animated PNG can be at most 16383 pixels wide and high'],
  [300, 16_383, 'taken'],
])('names the largest size of an animated PNG: %i × %i', async (width, height, outcome) => {
  const part = { left: 0, top: 0, width, height }
  const red: Frame = { ...part, colour: [255, 0, 0, 255] }
  const result = await refusal(await createApng(width, height, [red, { ...part, colour: [0, 0, 255, 255] }]))
  expect(result === 'taken' ? result : (result as AppError).message).toBe(outcome)
})

describe('decompression bombs', () => {
  const isRefused = async (bytes: Buffer, expected: object) => expect(await refusal(bytes)).toMatchObject(expected)

  it('rejects files above the size limit without reading them', () =>
    isRefused(Buffer.concat([sample('jpeg'), Buffer.alloc(5 * 1024 * 1024)]), size))

  it('accepts a file of exactly the maximum size', async () => {
    const jpeg = sample('jpeg')
    expect(await refusal(Buffer.concat([jpeg, Buffer.alloc(5 * 1024 * 1024 - jpeg.length)]))).toBe('taken')
  })

  it.runIf(isDeep)('rejects a PNG that declares 20,000×20,000 pixels', () =>
    isRefused(pngWithClaimedSize(20_000, 20_000, Buffer.alloc(10)), pixels),
  )

  it('rejects a PNG that has 20,000×20,000 pixels', async () => {
    const bytes = pngWithClaimedSize(20_000, 20_000, Buffer.alloc(20_001 * 20_000))
    expect(bytes.length).toBeLessThan(1024 * 1024)
    await isRefused(bytes, pixels)
  })

  it.runIf(isDeep)('rejects a JPEG and a WebP just above 40 megapixels', async () => {
    const wide = sharp({
      create: { width: 8001, height: 5000, channels: 3, background: 'red' },
      limitInputPixels: false,
    })
    await isRefused(await wide.clone().jpeg().toBuffer(), pixels)
    await isRefused(await wide.clone().webp({ effort: 0 }).toBuffer(), pixels)
  })

  it('accepts 1,000 small frames', async () => {
    expect(await refusal(gifWithFrames(1000))).toBe('taken')
  })

  it('rejects frames with more than 100 megapixels in total', async () => {
    const bytes = gifWithFrames(300)
    bytes.writeUInt16LE(1000, 6)
    bytes.writeUInt16LE(1000, 8)
    await isRefused(bytes, pixels)
  })

  it('rejects or drops compressed text and profiles that expand to gigabytes', async () => {
    const packed = deflateSync(Buffer.alloc(200 * 1024 * 1024))
    const bomb = (name: string) => pngChunk(name, Buffer.concat([Buffer.from('a\0\0'), packed]))
    for (const name of ['zTXt', 'iCCP']) {
      const result = await refusal(withPngChunks(sample('png'), bomb(name)))
      if (result !== 'taken') expect(result).toMatchObject(type)
    }
  })
})
