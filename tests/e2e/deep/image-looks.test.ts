import { deflateSync } from 'node:zlib'
import { type Browser, chromium, type Page } from 'playwright'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { matrixProfile, SRGB_PRIMARIES } from '#server/core/media/colourProfile.ts'
import { pngOf } from '#server/core/media/png.ts'
import { testProcessor } from '#tests/helpers/imageProcessor.ts'
import { createApng, createGif, type Frame } from '#tests/helpers/sampleAnimations.ts'
import { jpegSegment, pngChunk, stillImage, withJpegSegments, withPngChunks } from '#tests/helpers/sampleImages.ts'

const images = testProcessor()
const places = { preview: { width: 40, height: 40 }, display: { width: 100, height: 100 } }

let browser: Browser
let page: Page
beforeAll(async () => {
  browser = await chromium.launch({ executablePath: inject('browser'), args: ['--no-sandbox', '--disable-gpu'] })
  page = await browser.newPage()
  // Serves an empty https page, because ImageDecoder exists only in secure contexts.
  await page.route('https://images.example/', (route) => route.fulfill({ contentType: 'text/html', body: '' }))
  await page.goto('https://images.example/')
})
afterAll(() => browser.close())

/** Returns the RGBA pixels that the browser renders for an image. */
const renderStill = (bytes: Buffer, mime: string): Promise<number[]> =>
  page.evaluate(
    async ([data, type]) => {
      const image = new Image()
      image.src = `data:${type};base64,${data}`
      await image.decode()
      const { naturalWidth: width, naturalHeight: height } = image
      const context = new OffscreenCanvas(width, height).getContext('2d')
      context?.drawImage(image, 0, 0)
      return [...(context?.getImageData(0, 0, width, height).data ?? [])]
    },
    [bytes.toString('base64'), mime],
  )

/** Returns RGBA pixels and duration (ms) of each frame that the browser decodes. */
const renderFrames = (bytes: Buffer, mime: string): Promise<{ ms: number; pixels: number[] }[]> =>
  page.evaluate(
    async ([data = '', type = '']) => {
      const response = await fetch(`data:${type};base64,${data}`)
      const decoder = new ImageDecoder({ data: await response.arrayBuffer(), type })
      await decoder.completed
      const frames = []
      for (let index = 0; index < (decoder.tracks.selectedTrack?.frameCount ?? 0); index++) {
        const { image } = await decoder.decode({ frameIndex: index })
        const { displayWidth: width, displayHeight: height } = image
        const context = new OffscreenCanvas(width, height).getContext('2d')
        context?.drawImage(image, 0, 0)
        const pixels = [...(context?.getImageData(0, 0, width, height).data ?? [])]
        frames.push({ ms: (image.duration ?? 0) / 1000, pixels })
      }
      return frames
    },
    [bytes.toString('base64'), mime],
  )

/** Returns the largest channel difference over visible pixels. */
function difference(a: number[], b: number[]): number {
  expect(a.length).toBe(b.length)
  return a.reduce((most, value, at) => {
    const isUnseen = at % 4 < 3 && a[at - (at % 4) + 3] === 0 && b[at - (at % 4) + 3] === 0
    return isUnseen ? most : Math.max(most, Math.abs(value - (b[at] ?? 0)))
  }, 0)
}

async function expectSameStill(bytes: Buffer, mime: string, tolerance: number) {
  const { original, mime: stored } = await images.process(bytes, places)
  expect(difference(await renderStill(bytes, mime), await renderStill(original, stored))).toBeLessThanOrEqual(tolerance)
}

/** Compares the centres of the four quarters before and after processing, because JPEG blurs the edges. */
async function expectSameQuarters(bytes: Buffer, tolerance: number) {
  const { original } = await images.process(bytes, places)
  const [before, after] = [await renderStill(bytes, 'image/jpeg'), await renderStill(original, 'image/jpeg')]
  for (const [x, y] of [
    [16, 12],
    [48, 12],
    [48, 36],
    [16, 36],
  ] as const) {
    const at = (y * 64 + x) * 4
    expect(difference(before.slice(at, at + 4), after.slice(at, at + 4)), `${x} ${y}`).toBeLessThanOrEqual(tolerance)
  }
}

const u32 = (...values: number[]) => {
  const data = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) data.writeUInt32BE(value, index * 4)
  return data
}

const ramp = Buffer.from(Array.from({ length: 16 * 4 * 4 }, (_, at) => (at % 4 === 3 ? 255 : ((at >> 2) % 16) * 17)))

/** Linear values of grey. */
const greyProfile = createGreyProfile()

function createGreyProfile(): Buffer {
  const profile = Buffer.alloc(128 + 4 + 24 + 20 + 12)
  profile.writeUInt32BE(profile.length)
  profile.writeUInt32BE(0x02400000, 8)
  profile.write('mntrGRAYXYZ ', 12, 'latin1')
  profile.write('acsp', 36, 'latin1')
  const white = u32(0xf6d6, 0x10000, 0xd32d)
  profile.set(white, 68)
  profile.set([...u32(2), ...Buffer.from('wtpt'), ...u32(156, 20), ...Buffer.from('kTRC'), ...u32(176, 12)], 128)
  profile.set([...Buffer.from('XYZ '), ...u32(0), ...white, ...Buffer.from('curv'), ...u32(0, 0)], 156)
  return profile
}

describe('PNG gamma', () => {
  const opened = () => sharp(ramp, { raw: { width: 16, height: 4, channels: 4 } })
  const wide = u32(31270, 32900, 73470, 26530, 11500, 82600, 15700, 1800)
  const kinds = {
    colour: () => opened().removeAlpha().png().toBuffer(),
    alpha: () => opened().png().toBuffer(),
    palette: () => opened().removeAlpha().png({ palette: true }).toBuffer(),
    grey: () => opened().removeAlpha().toColourspace('b-w').png().toBuffer(),
  }

  test.each(Object.entries(kinds))('is applied as in the browser: %s', async (_name, make) => {
    const plain = await make()
    for (const gamma of [0, 1000, 10_000, 30_000, 43_000, 45_455, 47_000, 55_000, 100_000, 1_000_000, 0xffff_ffff]) {
      await expectSameStill(withPngChunks(plain, pngChunk('gAMA', u32(gamma))), 'image/png', 4)
    }
  })

  test('is combined with primaries and ignored beside sRGB', async () => {
    const plain = await stillImage(32, 24).png().toBuffer()
    const [gamma, primaries] = [pngChunk('gAMA', u32(45_455)), pngChunk('cHRM', wide)]
    await expectSameStill(withPngChunks(plain, gamma, primaries), 'image/png', 3)
    await expectSameStill(withPngChunks(plain, primaries), 'image/png', 0)
    await expectSameStill(withPngChunks(plain, pngChunk('cHRM', Buffer.alloc(32)), gamma), 'image/png', 2)
    const srgb = pngChunk('sRGB', Buffer.from([0]))
    await expectSameStill(withPngChunks(plain, srgb, pngChunk('gAMA', u32(100_000))), 'image/png', 0)
  })
})

/** A 16-bit or 8-bit PNG with one row of colours, whose channels are from 0 to 1. */
function rowPng(colours: number[][], depth: 8 | 16, isGrey: boolean, ...chunks: Buffer[]): Buffer {
  const values = colours.flatMap((colour) => colour.slice(0, isGrey ? 1 : 3))
  const row = Buffer.alloc(1 + (values.length * depth) / 8)
  for (const [at, value] of values.entries()) {
    if (depth === 16) row.writeUInt16BE(Math.round(value * 65_535), 1 + at * 2)
    else row[1 + at] = Math.round(value * 255)
  }
  const header = Buffer.from([...u32(colours.length, 1), depth, isGrey ? 0 : 2, 0, 0, 0])
  const plain = pngOf([
    { type: 'IHDR', data: header },
    { type: 'IDAT', data: deflateSync(row) },
  ])
  return withPngChunks(plain, ...chunks)
}

describe.each([8, 16] as const)('a PNG of %i bits', (depth) => {
  const greys = Array.from({ length: 40 }, (_, step) => Array(3).fill(step / 39) as number[])
  const colours = [
    ...greys,
    ...[0.25, 0.5, 0.7].flatMap((light) => [
      [light, light / 2, light / 4],
      [light / 2, light, light / 2],
      [light / 3, light / 2, light],
      [light, light * 0.9, light * 0.8],
      [light, 0, 0],
      [0, light, 0],
      [0, 0, light],
    ]),
  ]
  const cicp = (...codes: number[]) => pngChunk('cICP', Buffer.from(codes))
  const iccp = (profile: Buffer) =>
    pngChunk('iCCP', Buffer.concat([Buffer.from('x\0\0', 'latin1'), deflateSync(profile)]))

  test.each<[string, number[], number]>([
    ['sRGB', [1, 13, 0, 1], 1],
    ['Display P3', [12, 13, 0, 1], 3],
    ['BT.709', [1, 1, 0, 1], 3],
    ['BT.2020', [9, 14, 0, 1], 3],
    ['linear', [1, 8, 0, 1], 4],
    ['linear P3', [12, 8, 0, 1], 4],
    ['2.2', [4, 4, 0, 1], 3],
    ['2.8', [5, 5, 0, 1], 3],
    ['SMPTE 240M', [7, 7, 0, 1], 3],
    ['cinema', [11, 17, 0, 1], 3],
    ['EBU', [22, 13, 0, 1], 3],
    ['PQ', [9, 16, 0, 1], 6],
    ['PQ of P3', [12, 16, 0, 1], 6],
    ['HLG', [9, 18, 0, 1], 6],
    ['unknown primaries', [2, 13, 0, 1], 0],
    ['unknown transfer', [12, 2, 0, 1], 0],
    ['a narrow range', [12, 13, 0, 0], 0],
  ])('has the colours of the browser with the cICP of %s', async (_name, codes, tolerance) => {
    const slack = depth === 16 ? Math.max(1, tolerance) : tolerance
    await expectSameStill(rowPng(colours, depth, false, cicp(...codes)), 'image/png', slack)
    await expectSameStill(rowPng(greys, depth, true, cicp(...codes)), 'image/png', Math.max(1, tolerance))
  })

  test('prefers cICP to a profile and gamma, and gamma to an unknown cICP', async () => {
    const [wide, linear] = [matrixProfile([1.8, 1, 0, 0, 0], SRGB_PRIMARIES) ?? ramp, pngChunk('gAMA', u32(100_000))]
    await expectSameStill(rowPng(colours, depth, false, iccp(wide), cicp(12, 13, 0, 1)), 'image/png', 3)
    await expectSameStill(rowPng(colours, depth, false, linear, cicp(12, 13, 0, 1)), 'image/png', 3)
    await expectSameStill(rowPng(colours, depth, false, cicp(2, 2, 0, 1), linear), 'image/png', 4)
    await expectSameStill(rowPng(colours, depth, false, cicp(2, 2, 0, 1), iccp(wide)), 'image/png', 3)
  })

  test('in grey uses gamma and profiles as in the browser', async () => {
    const curve = matrixProfile([1, 1, 0, 0, 0], SRGB_PRIMARIES) ?? ramp
    for (const chunk of [pngChunk('gAMA', u32(100_000)), iccp(curve), iccp(greyProfile), iccp(Buffer.alloc(300, 7))]) {
      await expectSameStill(rowPng(greys, depth, true, chunk), 'image/png', 4)
    }
  })
})

describe('a JPEG', () => {
  const jpegs = {
    rgb: () => stillImage(64, 48).jpeg({ chromaSubsampling: '4:4:4' }).toBuffer(),
    grey: () => stillImage(64, 48).toColourspace('b-w').jpeg().toBuffer(),
    cmyk: () => stillImage(64, 48).toColourspace('cmyk').jpeg({ chromaSubsampling: '4:4:4' }).toBuffer(),
  }
  const profiles = {
    rgb: matrixProfile([1, 1, 0, 0, 0], [0.3127, 0.329, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06]) ?? ramp,
    grey: greyProfile,
    broken: Buffer.alloc(300, 7),
  }
  const kinds = Object.keys(jpegs) as (keyof typeof jpegs)[]
  const cases = kinds.flatMap((kind) => Object.entries(profiles).map(([name, profile]) => ({ kind, name, profile })))

  test.each(cases)('of $kind uses a profile of $name as the browser does', async ({ kind, profile }) => {
    const segment = jpegSegment(0xe2, Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1'), profile]))
    await expectSameQuarters(withJpegSegments(await jpegs[kind](), segment), 8)
  })
})

describe('a CMYK JPEG without a profile', () => {
  const cmyk = () => stillImage(64, 48).toColourspace('cmyk').jpeg({ chromaSubsampling: '4:4:4' }).toBuffer()
  const withTransform = (jpeg: Buffer, transform: number) => {
    const bytes = Buffer.from(jpeg)
    bytes[bytes.indexOf('Adobe') + 11] = transform
    return bytes
  }

  test('keeps its colours with an Adobe marker', async () => expectSameQuarters(await cmyk(), 6))
  test('keeps its colours when stored as YCCK', async () => expectSameQuarters(withTransform(await cmyk(), 2), 6))
  test('keeps its colours without an Adobe marker', async () => {
    const jpeg = await cmyk()
    const at = jpeg.indexOf('\xff\xee', 0, 'latin1')
    const end = at + 2 + jpeg.readUInt16BE(at + 2)
    await expectSameQuarters(Buffer.concat([jpeg.subarray(0, at), jpeg.subarray(end)]), 6)
  })
})

async function expectSameFrames(bytes: Buffer, mime: string, tolerance: number) {
  const result = await images.process(bytes, places)
  const [before, after] = [await renderFrames(bytes, mime), await renderFrames(result.original, result.mime)]
  expect(after.map(({ ms }) => ms)).toEqual(before.map(({ ms }) => ms))
  for (const [index, { pixels }] of before.entries()) {
    expect(difference(pixels, after[index]?.pixels ?? []), `frame ${index}`).toBeLessThanOrEqual(tolerance)
  }
  return result
}

describe('a GIF that does not cover its canvas', () => {
  const full = { left: 0, top: 0, width: 12, height: 8 }
  const part = { left: 3, top: 2, width: 4, height: 3 }
  const corner = { left: 8, top: 5, width: 4, height: 3 }
  test.each<[string, Parameters<typeof createGif>[2]]>([
    ['in one frame', [{ ...part, index: 1 }]],
    [
      'in the first frame',
      [
        { ...part, index: 1 },
        { ...corner, index: 2 },
        { ...part, index: 3 },
      ],
    ],
    [
      'once it was cleared',
      [
        { ...full, index: 1, dispose: 2 },
        { ...part, index: 2 },
        { ...corner, index: 3 },
      ],
    ],
    [
      'in a cleared part',
      [
        { ...full, index: 1 },
        { ...part, index: 2, dispose: 2 },
        { ...corner, index: 3 },
      ],
    ],
    [
      'in a restored part',
      [
        { ...part, index: 1 },
        { ...full, index: 2, dispose: 3 },
        { ...corner, index: 3 },
      ],
    ],
    [
      'in a restored first frame',
      [
        { ...full, index: 1, dispose: 3 },
        { ...corner, index: 3 },
        { ...part, index: 2 },
      ],
    ],
    [
      'with a transparent colour in another frame',
      [
        { ...full, index: 1, dispose: 2 },
        { ...part, index: 2, transparent: 2 },
        { ...corner, index: 3 },
      ],
    ],
  ])('%s', async (_name, parts) => {
    const bytes = createGif(12, 8, parts, 2)
    const result = await expectSameFrames(bytes, 'image/gif', 0)
    expect(result.format).toBe('gif')
  })
})

describe('an animated PNG', () => {
  const full = { left: 0, top: 0, width: 12, height: 8 }
  const part = { left: 3, top: 2, width: 5, height: 4 }
  const red: Frame['colour'] = [220, 30, 40, 255]
  const glass: Frame['colour'] = [20, 90, 200, 128]
  const none: Frame['colour'] = [0, 0, 0, 0]
  const frames = (dispose: number, blend: number): Frame[] => [
    { ...full, colour: red, delay: 70 },
    { ...part, colour: glass, dispose, blend, delay: 120 },
    { ...part, left: 6, colour: glass, blend, delay: 500 },
    { ...part, top: 4, colour: none, blend, delay: 2000 },
  ]

  test.each([0, 1, 2].flatMap((dispose) => [0, 1].map((blend) => [dispose, blend])))(
    'is stored as an animated WebP of the same frames (dispose %i, blend %i)',
    async (dispose = 0, blend = 0) => {
      const result = await expectSameFrames(await createApng(12, 8, frames(dispose, blend)), 'image/png', 1)
      expect(result).toMatchObject({ format: 'webp', ext: 'webp', animated: true, width: 12, height: 8 })
    },
  )

  test('skips the fallback image that is not part of the animation', async () => {
    await expectSameFrames(await createApng(12, 8, frames(0, 1), [0, 255, 0, 255]), 'image/png', 1)
  })

  test('is stored as a still when it has one frame', async () => {
    const bytes = await createApng(12, 8, frames(0, 1).slice(0, 1), [0, 255, 0, 255])
    const result = await images.process(bytes, places)
    expect(result).toMatchObject({ format: 'png', animated: false })
    expect((await renderStill(result.original, 'image/png')).slice(0, 4)).toEqual(red)
  })
})
