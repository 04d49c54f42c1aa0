import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { fitInside } from '#src/lib/fitInside.ts'
import { testProcessor } from '#tests/helpers/imageProcessor.ts'
import {
  animatedImage,
  animatedPng,
  CORNER_COLOURS,
  imageWithMetadata,
  METADATA_MARKERS,
  noiseBytes,
  quarteredPixels,
  readCorners,
  readPixel,
  stillImage,
} from '#tests/helpers/sampleImages.ts'

const { process: processImage } = testProcessor()

const places = { preview: { width: 20, height: 10 }, display: { width: 100, height: 50 } }

/** Checks that colours match, within the tolerance of lossy encoding. */
function expectColours(found: number[][], expected: number[][], tolerance = 14) {
  const off = found.map((colour, at) =>
    expected[at]?.map((value, channel) => Math.abs(value - (colour[channel] ?? 999))),
  )
  expect(Math.max(...off.flatMap((one) => one ?? [999])), JSON.stringify({ found, expected })).toBeLessThan(tolerance)
}

describe.each(['jpeg', 'png', 'webp'] as const)('a still %s', (format) => {
  it.each([
    [1, [0, 1, 2, 3]],
    [2, [1, 0, 3, 2]],
    [3, [2, 3, 0, 1]],
    [4, [3, 2, 1, 0]],
    [5, [0, 3, 2, 1]],
    [6, [3, 0, 1, 2]],
    [7, [2, 1, 0, 3]],
    [8, [1, 2, 3, 0]],
  ])('is upright in all three files with orientation %i', async (orientation, order) => {
    const bytes = await stillImage(64, 48).withMetadata({ orientation }).toFormat(format).toBuffer()
    const result = await processImage(bytes, places)
    const size = orientation < 5 ? { width: 64, height: 48 } : { width: 48, height: 64 }
    expect(result).toMatchObject({ format, ...size, animated: false, display: size })
    const expected = order.map((corner) => CORNER_COLOURS[corner] ?? [])
    expectColours(await readCorners(result.original), expected)
    expectColours(await readCorners(result.display.bytes), expected)
    expectColours(await readCorners(result.preview.bytes), expected, 60)
    expect((await sharp(result.original).metadata()).orientation ?? 1).toBe(1)
  })

  it('removes the metadata of cameras and editors', async () => {
    const bytes = await imageWithMetadata(stillImage(), format)
    // Not all files contain all markers: PNG compresses XMP, and only JPEG has the IPTC and Exif signatures.
    const expected = { jpeg: METADATA_MARKERS, png: METADATA_MARKERS.slice(0, 3), webp: METADATA_MARKERS.slice(0, 4) }[
      format
    ]
    expect(expected.filter((secret) => !bytes.includes(secret))).toEqual([])
    expect(await sharp(bytes).metadata()).toMatchObject({ exif: expect.any(Buffer), xmp: expect.any(Buffer) })
    const { original, preview, display } = await processImage(bytes, places)
    for (const file of [original, preview.bytes, display.bytes]) {
      expect(METADATA_MARKERS.filter((secret) => file.includes(secret))).toEqual([])
      const { exif, xmp, iptc, icc, comments } = await sharp(file).metadata()
      expect([exif, xmp, iptc, icc, comments]).toEqual(Array(5).fill(undefined))
    }
  })

  it('converts a wide-gamut image to sRGB with the same colours', async () => {
    // The same colour has other channel values in P3 than in sRGB.
    const srgb = sharp(Buffer.alloc(40 * 40 * 3).fill(Buffer.from([200, 90, 60])), {
      raw: { width: 40, height: 40, channels: 3 },
    })
    const bytes = await srgb.withIccProfile('p3').toFormat(format).toBuffer()
    const { icc } = await sharp(bytes).metadata()
    expect(icc).toBeDefined()
    const numbers = await sharp(bytes).keepIccProfile().raw().toBuffer()
    expect(Math.abs((numbers[0] ?? 0) - 200)).toBeGreaterThan(8)
    const { original, preview, display } = await processImage(bytes, places)
    for (const file of [original, preview.bytes, display.bytes]) {
      expect((await sharp(file).metadata()).icc).toBeUndefined()
      expectColours([await readPixel(file, 3, 3)], [[200, 90, 60]], 8)
    }
  })

  it('accepts images of one pixel and one row', async () => {
    for (const [width, height] of [
      [1, 1],
      [3000, 1],
      [1, 3000],
    ] as const) {
      const result = await processImage(await stillImage(width, height).toFormat(format).toBuffer(), places)
      expect(result).toMatchObject({ width, height })
      // The image is not enlarged, so it has one pixel per CSS px.
      expect(result.preview).toMatchObject({ width: Math.min(width, 40), height: Math.min(height, 10) })
    }
  })
})

describe('colour types of stills', () => {
  it('converts a CMYK JPEG to sRGB', async () => {
    const bytes = await stillImage().toColourspace('cmyk').jpeg().toBuffer()
    expect((await sharp(bytes).metadata()).space).toBe('cmyk')
    const result = await processImage(bytes, places)
    expect(await sharp(result.original).metadata()).toMatchObject({ space: 'srgb', channels: 3, hasProfile: false })
    // Some corner colours are outside the CMYK gamut. Similar colours are enough.
    expectColours(await readCorners(result.original), CORNER_COLOURS, 80)
    expectColours(await readCorners(result.display.bytes), await readCorners(result.original))
  })

  it('converts 16 bits per channel to 8, with and without a profile', async () => {
    const deep = (profile?: string) => {
      const picture = stillImage().toColourspace('rgb16').png()
      return (profile ? picture.withIccProfile(profile) : picture).toBuffer()
    }
    for (const bytes of [await deep(), await deep('p3'), await deep('srgb')]) {
      expect((await sharp(bytes).metadata()).depth).toBe('ushort')
      const { original } = await processImage(bytes, places)
      expect(await sharp(original).metadata()).toMatchObject({ depth: 'uchar', hasProfile: false })
      expectColours(await readCorners(original), CORNER_COLOURS, 6)
    }
  })

  it.each(['jpeg', 'png'] as const)('accepts a greyscale %s', async (format) => {
    const bytes = await stillImage().toColourspace('b-w').toFormat(format).toBuffer()
    expect((await sharp(bytes).metadata()).channels).toBe(1)
    const { original, display } = await processImage(bytes, places)
    const [red = 0, green = 0, blue = 0] = await readPixel(display.bytes, 3, 3)
    expect(Math.max(red, green, blue) - Math.min(red, green, blue)).toBeLessThan(6)
    expectColours([(await readPixel(original, 3, 3)).slice(0, 1)], [(await readPixel(bytes, 3, 3)).slice(0, 1)])
  })

  it.each([true, false])('keeps the transparency of a PNG and a WebP (palette %s)', async (palette) => {
    const pixels = Buffer.alloc(40 * 40 * 4, 200)
    for (let at = 0; at < pixels.length; at += 4) pixels[at + 3] = at < pixels.length / 2 ? 0 : 255
    const picture = sharp(pixels, { raw: { width: 40, height: 40, channels: 4 } })
    for (const bytes of [await picture.clone().png({ palette }).toBuffer(), await picture.clone().webp().toBuffer()]) {
      const { original, preview, display } = await processImage(bytes, places)
      for (const file of [original, preview.bytes, display.bytes]) {
        const { width, height } = await sharp(file).metadata()
        expect((await readPixel(file, 1, 1))[3]).toBe(0)
        expect((await readPixel(file, width - 2, height - 2))[3]).toBe(255)
      }
    }
  })

  it('keeps an animated PNG animated, as a WebP', async () => {
    const bytes = animatedPng(await stillImage().png().toBuffer())
    expect(bytes.includes('acTL')).toBe(true)
    const { original, display, format } = await processImage(bytes, places)
    expect(format).toBe('webp')
    for (const file of [original, display.bytes]) expectColours(await readCorners(file), CORNER_COLOURS, 8)
  })

  it.each([2, 16, 256])('keeps the colours of a PNG with %i palette entries', async (colours) => {
    const table = noiseBytes(colours * 3, 3)
    const indices = noiseBytes(100 * 80, 4).map((value) => value % colours)
    const pixels = Buffer.concat([...indices].map((index) => table.subarray(index * 3, index * 3 + 3)))
    const bytes = await sharp(pixels, { raw: { width: 100, height: 80, channels: 3 } })
      .png({ palette: true })
      .toBuffer()
    const { original } = await processImage(bytes, places)
    expect(await sharp(original).metadata()).toMatchObject({ isPalette: true })
    expect((await sharp(original).raw().toBuffer()).equals(pixels)).toBe(true)
    expect(original.length).toBeLessThan(bytes.length * 1.1)
  })

  it('keeps a lossless WebP lossless at about the same size', async () => {
    const bytes = await stillImage(400, 300).webp({ lossless: true }).toBuffer()
    const { original } = await processImage(bytes, places)
    expect((await sharp(original).raw().toBuffer()).equals(quarteredPixels(400, 300))).toBe(true)
    expect(original.length).toBeLessThan(bytes.length * 1.5)
  })

  it('writes progressive JPEG with 4:2:0 chroma subsampling', async () => {
    const { original, mime, ext } = await processImage(await stillImage().jpeg().toBuffer(), places)
    expect({ mime, ext }).toEqual({ mime: 'image/jpeg', ext: 'jpg' })
    expect(await sharp(original).metadata()).toMatchObject({ isProgressive: true, chromaSubsampling: '4:2:0' })
  })
})

describe('thumbnails', () => {
  it('are WebP with twice the display size and the same aspect ratio', async () => {
    const { preview, display } = await processImage(await stillImage(1000, 500).png().toBuffer(), places)
    expect(preview).toMatchObject({ width: 40, height: 20 })
    expect(display).toMatchObject({ width: 200, height: 100 })
    for (const { bytes, width, height } of [preview, display]) {
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width, height })
    }
  })

  it('are never larger than the original, and never the original file', async () => {
    const { preview, display } = await processImage(await stillImage(30, 18).png().toBuffer(), places)
    for (const { bytes, width, height } of [preview, display]) {
      expect({ width, height }).toEqual({ width: 30, height: 18 })
      expect((await sharp(bytes).metadata()).format).toBe('webp')
    }
  })

  it.each([
    [1080, 25_000, 1080, 794],
    [2000, 9000, 1360, 1000],
    [300, 1300, 300, 500],
    [300, 1200, 250, 1000],
    [20, 100, 20, 100],
  ])(
    'of an image of %i × %i show its upper part, if it is very tall',
    async (width, height, shownWidth, shownHeight) => {
      const top = { create: { width, height: 10, channels: 3 as const, background: 'red' } }
      const bytes = await sharp({ create: { width, height, channels: 3, background: 'blue' } })
        .composite([{ input: top, left: 0, top: 0 }])
        .png()
        .toBuffer()
      const boxes = {
        preview: { width: 320, height: 200, type: 'jpeg' as const },
        display: { width: 680, height: 500 },
      }
      const { original, preview, display } = await processImage(bytes, boxes)
      expect(await sharp(original).metadata()).toMatchObject({ width, height })
      expect(display).toMatchObject({ width: shownWidth, height: shownHeight })
      expect(fitInside(display, boxes.display).width).toBe(
        height > 4 * width ? Math.min(width, boxes.display.width, shownWidth) : 125,
      )
      for (const file of [preview, display]) expectColours([await readPixel(file.bytes, 3, 0)], [[255, 0, 0]], 40)
    },
  )

  it('fit portrait and landscape boxes', async () => {
    const crossed = { preview: { width: 300, height: 10 }, display: { width: 15, height: 200 } }
    const { preview, display } = await processImage(await stillImage(400, 200).png().toBuffer(), crossed)
    expect(preview).toMatchObject({ width: 40, height: 20 })
    expect(display).toMatchObject({ width: 30, height: 15 })
  })
})

describe('animations', () => {
  const delay = [50, 120, 120, 300, 1000]

  it.each([0, 1, 3])('keeps frames, delays and loops of a GIF (loop %i)', async (loop) => {
    const bytes = await animatedImage(5).gif({ delay, loop }).toBuffer()
    const result = await processImage(bytes, places)
    expect(result).toMatchObject({
      format: 'gif',
      mime: 'image/gif',
      ext: 'gif',
      animated: true,
      width: 32,
      height: 24,
    })
    expect(await sharp(result.original, { animated: true }).metadata()).toMatchObject({ pages: 5, delay, loop })
    for (const page of [0, 1, 4])
      expectColours(await readCorners(result.original, page), await readCorners(bytes, page), 4)
    expectColours(await readCorners(result.display.bytes), CORNER_COLOURS)
    expect((await sharp(result.display.bytes).metadata()).pages).toBeUndefined()
  })

  it('keeps equal frames and zero delays of a GIF', async () => {
    const pixels = Buffer.concat([0, 0, 1].map((turn) => quarteredPixels(32, 24, turn)))
    const raw = { width: 32, height: 72, channels: 3, pageHeight: 24 } as const
    const bytes = await sharp(pixels, { raw })
      .gif({ delay: [0, 10, 20], keepDuplicateFrames: true })
      .toBuffer()
    const { original } = await processImage(bytes, places)
    expect(await sharp(original).metadata()).toMatchObject({ pages: 3, delay: [0, 10, 20] })
  })

  it.each([0, 1, 3])('keeps frames, delays and loops of a WebP (loop %i)', async (loop) => {
    const bytes = await animatedImage(5).webp({ delay, loop, lossless: true }).toBuffer()
    const result = await processImage(bytes, places)
    expect(result).toMatchObject({
      format: 'webp',
      mime: 'image/webp',
      ext: 'webp',
      animated: true,
      width: 32,
      height: 24,
    })
    expect(await sharp(result.original, { animated: true }).metadata()).toMatchObject({ pages: 5, delay, loop })
    for (const page of [0, 1, 4])
      expectColours(await readCorners(result.original, page), await readCorners(bytes, page), 40)
  })

  it('keeps a lossless WebP animation lossless', async () => {
    const { original } = await processImage(await animatedImage(3).webp({ lossless: true }).toBuffer(), places)
    for (const page of [0, 1, 2]) {
      expect(
        (await sharp(original, { page }).removeAlpha().raw().toBuffer()).equals(quarteredPixels(32, 24, page)),
      ).toBe(true)
    }
  })

  it('sets WebP delays of at most 10 ms to the 100 ms that browsers use', async () => {
    const bytes = await animatedImage(4)
      .webp({ delay: [200, 50, 30, 20], lossless: true })
      .toBuffer()
    // Patches the file, because libvips cannot write such short delays.
    for (const [index, ms] of [0, 1, 10, 11].entries()) {
      let at = -1
      for (let frame = 0; frame <= index; frame++) at = bytes.indexOf('ANMF', at + 1)
      bytes.writeUIntLE(ms, at + 8 + 12, 3)
    }
    const { original } = await processImage(bytes, places)
    expect((await sharp(original).metadata()).delay).toEqual([100, 100, 100, 11])
  })

  it('keeps the total duration of WebP frames that become equal', async () => {
    const frame = noiseBytes(32 * 24 * 3, 5).map((value) => value >> 2)
    const almost = Buffer.from(frame)
    almost[0] = (almost[0] ?? 0) ^ 1
    const raw = { width: 32, height: 72, channels: 3, pageHeight: 24 } as const
    const pixels = Buffer.concat([frame, almost, quarteredPixels(32, 24)])
    const bytes = await sharp(pixels, { raw })
      .webp({ delay: [100, 200, 300], lossless: true })
      .toBuffer()
    const { original } = await processImage(bytes, places)
    const { delay: times = [] } = await sharp(original).metadata()
    expect(times.reduce((sum, one) => sum + one, 0)).toBe(600)
  })

  it('removes everything except frames', async () => {
    const gif = await animatedImage(3).gif().toBuffer()
    const comment = Buffer.concat([Buffer.from([0x21, 0xfe, 13]), Buffer.from('secret camera'), Buffer.from([0])])
    const table = 13 + (gif[10] && gif[10] & 0x80 ? 3 * 2 ** ((gif[10] & 7) + 1) : 0)
    const bytes = Buffer.concat([gif.subarray(0, table), comment, gif.subarray(table), Buffer.from('trailing secret')])
    const webp = await imageWithMetadata(animatedImage(3), 'webp')
    for (const file of [bytes, webp]) {
      expect(METADATA_MARKERS.filter((secret) => file.includes(secret)).length).toBeGreaterThan(1)
      const { original } = await processImage(file, places)
      expect(METADATA_MARKERS.filter((secret) => original.includes(secret))).toEqual([])
      expect((await sharp(original).metadata()).pages).toBe(3)
    }
  })

  it('treats a GIF with one frame as a still', async () => {
    const { animated, original } = await processImage(await stillImage().gif().toBuffer(), places)
    expect(animated).toBe(false)
    expectColours(await readCorners(original), CORNER_COLOURS, 4)
  })
})
