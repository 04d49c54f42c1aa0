import sharp from 'sharp'
import { expect, test } from 'vitest'
import { imageUnits } from '#server/core/media/imageUnits.ts'
import { UploadedFile } from '#src/contract/image.ts'
import { gifWithFrames, oversizedImage } from '#tests/helpers/sampleImages.ts'

const upload = (bytes: Uint8Array, truncated = false) => new UploadedFile('a', 'image/gif', bytes, truncated)
const photo = async (width: number, height: number) =>
  upload(
    await sharp({ create: { width, height, channels: 3, background: '#8b58fc' } })
      .jpeg()
      .toBuffer(),
  )
const animation = (megapixels: number) => upload(gifWithFrames(megapixels, 1000))

test('charges each image of a common size after the first', async () => {
  const common = await photo(4000, 3000)
  const images = [common, animation(10), common, animation(12)]
  expect(images.map((_, index) => imageUnits(images.slice(0, index)))).toEqual([0, 0, 100, 200])
  expect(imageUnits(images)).toBe(300)
})

test('charges the pixels of all frames of a large image, also of the first', async () => {
  expect(imageUnits([animation(13)])).toBe(25)
  expect(imageUnits([animation(90)])).toBe(1950)
  expect(imageUnits([await photo(5000, 4000)])).toBe(200)
  expect(imageUnits([animation(12), animation(32)])).toBe(100 + 500)
})

test('charges less than the default burst of a network for the largest images', () => {
  expect(imageUnits(Array.from({ length: 4 }, () => animation(100)))).toBe(2500)
})

test('charges nothing for the pixels of images that are not decoded', () => {
  for (const refused of [upload(oversizedImage()), animation(101), upload(gifWithFrames(90, 1000), true)]) {
    expect(imageUnits([refused])).toBe(0)
  }
  expect(imageUnits([upload(Buffer.from('no image'))])).toBe(0)
})
