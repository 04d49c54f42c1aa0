import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { hashBlockedImage, hashImage } from '#server/core/media/perceptualHash.ts'
import { createPerceptualIndex } from '#server/core/media/perceptualIndex.ts'
import { withSvgDecoder } from '#server/core/media/svg.ts'
import { generatedImage, measureBlocklist } from '#tests/bench/blockedImages.ts'
import { isDeep } from '#tests/helpers/depth.ts'
import { testProcessor } from '#tests/helpers/imageProcessor.ts'
import { createVariedImage, openRaw } from '#tests/helpers/variedImages.ts'

const images = testProcessor()
const sizes = { preview: { width: 300, height: 200 }, display: { width: 600, height: 500 } }
const variedImage = async (number: number) => openRaw(await createVariedImage(number))

describe('perceptual hashes', () => {
  it('recognizes altered copies of blocked images, and no other images', async () => {
    const numbers = (count: number, from: number) => Array.from({ length: count }, (_, at) => generatedImage(from + at))
    const [given, wanted, others] = isDeep ? [60, 40, 400] : [12, 8, 60]
    const { recognized, mistaken, blocked, distinct } = await measureBlocklist(
      numbers(given, 10_000),
      wanted,
      numbers(others, 0),
    )
    expect({ blocked, mistaken }).toEqual({ blocked: wanted, mistaken: [] })
    expect(distinct).toBeGreaterThanOrEqual(others)
    for (const [change, percent] of Object.entries(recognized)) expect(percent, change).toBeCloseTo(100)
  })

  it('gives nearly flat images no perceptual hash', async () => {
    const flat = sharp({ create: { width: 300, height: 200, channels: 3, background: '#8b58fc' } })
    const gradient =
      '<svg width="300" height="200"><linearGradient id="g"><stop stop-color="#333"/><stop offset="1" stop-color="#ccc"/></linearGradient><rect width="300" height="200" fill="url(#g)"/></svg>'
    expect(await hashBlockedImage(flat.png())).toBeNull()
    expect(await withSvgDecoder(() => hashBlockedImage(sharp(Buffer.from(gradient))))).toBeNull()
  })

  it('does not match other images if a frame is the only detail', async () => {
    const svg =
      '<svg width="300" height="200"><rect width="300" height="200" fill="#999"/><path d="M0 0h300v200h-300z" fill="none" stroke="#222" stroke-width="8" stroke-dasharray="9 5"/></svg>'
    const variants = await withSvgDecoder(() => hashBlockedImage(sharp(Buffer.from(svg))))
    const index = createPerceptualIndex()
    index.add(1, variants ?? Buffer.alloc(0))
    expect(index.find(await hashImage(await variedImage(1)))).toBeNull()
  })

  it.each([
    ['grey', (png: Buffer) => sharp(png).greyscale().png()],
    ['with an opaque alpha channel', (png: Buffer) => sharp(png).ensureAlpha().png()],
    ['grey with an alpha channel', (png: Buffer) => sharp(png).greyscale().ensureAlpha().png()],
  ])('recognizes a copy that is %s', async (_, alter) => {
    const png = await (await variedImage(1)).png().toBuffer()
    const index = createPerceptualIndex()
    index.add(1, (await images.hash(png)) ?? Buffer.alloc(0))
    const { hashes } = await images.process(await alter(png).toBuffer(), sizes)
    expect(index.find(hashes.perceptual)).toBe(1)
    const other = await images.process(await (await variedImage(9)).png().toBuffer(), sizes)
    expect(index.find(other.hashes.perceptual)).toBeNull()
  })

  it('hashes the first frame of an animation', async () => {
    const [first, second] = await Promise.all(
      [1, 9].map(async (number) => (await variedImage(number)).resize(200, 200, { fit: 'fill' }).raw().toBuffer()),
    )
    const frames = Buffer.concat([first ?? Buffer.alloc(0), second ?? Buffer.alloc(0)])
    const raw = { width: 200, height: 400, channels: 3, pageHeight: 200 } as const
    const index = createPerceptualIndex()
    index.add(1, (await hashBlockedImage(await variedImage(1))) ?? Buffer.alloc(0))
    for (const format of ['gif', 'webp'] as const) {
      const animation = await sharp(frames, { raw })
        .toFormat(format, { delay: [100, 100], loop: 0 })
        .toBuffer()
      const { hashes, animated } = await images.process(animation, sizes)
      expect({ animated, found: index.find(hashes.perceptual) }).toEqual({ animated: true, found: 1 })
    }
  })

  it('returns the same bits for an image of one pixel or one row', async () => {
    for (const [width, height] of [
      [1, 1],
      [3000, 1],
      [1, 3000],
    ] as const) {
      const image = () => sharp({ create: { width, height, channels: 3, background: '#246' } }).png()
      expect(await hashImage(image())).toHaveLength(64)
      expect(await hashBlockedImage(image())).toBeNull()
    }
  })
})
