import { type Browser, chromium, type Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { testProcessor } from '#tests/helpers/imageProcessor.ts'
import { createApng, createGif, type Frame } from '#tests/helpers/sampleAnimations.ts'

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
