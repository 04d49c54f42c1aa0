// Measures how many altered copies of blocked images are recognized, and how many other images are mistaken for them:
//   npx tsx tests/bench/blockedImages.ts [FOLDER OF PHOTOS]
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import sharp, { type Sharp } from 'sharp'
import { hashBlockedImage, hashImage } from '#server/core/media/perceptualHash.ts'
import { createPerceptualIndex } from '#server/core/media/perceptualIndex.ts'
import { createVariedImage, openRaw } from '#tests/helpers/variedImages.ts'

/** Photos are decoded at this width and height in pixels, like thumbnails. */
const PHOTO_SIDE = 800
const CROP = 0.03

type Source = { name: string; load: () => Promise<Sharp> }
export type BlocklistFigures = {
  blocked: number
  /** images without a perceptual hash, because they are nearly flat */
  flat: number
  distinct: number
  /** recognized copies per kind of change, in percent */
  recognized: Record<string, number>
  /** names of other images that were mistaken for blocked images */
  mistaken: string[]
  hashMs: number
}

export const generatedImage = (number: number): Source => ({
  name: `generated ${number}`,
  load: async () => openRaw(await createVariedImage(number)),
})

const photo = (file: string): Source => ({
  name: file,
  async load() {
    const image = sharp(file).resize(PHOTO_SIDE, PHOTO_SIDE, { fit: 'inside', withoutEnlargement: true })
    const { data, info } = await image.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
    return sharp(data, { raw: info })
  },
})

/** Changes that people make to evade a blocklist. */
async function alter(png: Buffer): Promise<Record<string, Buffer>> {
  const { width, height } = await sharp(png).metadata()
  const [x, y] = [Math.round(width * CROP), Math.round(height * CROP)]
  const crop = (left: number, top: number, right: number, bottom: number) =>
    sharp(png)
      .flatten({ background: '#fff' })
      .extract({ left, top, width: width - left - right, height: height - top - bottom })
      .jpeg()
      .toBuffer()
  const opaque = sharp(png).flatten({ background: '#fff' })
  return {
    're-encoded as WebP': await sharp(png).webp().toBuffer(),
    're-encoded as JPEG': await opaque.clone().jpeg({ quality: 90 }).toBuffer(),
    'resized to 50 %': await opaque
      .clone()
      .resize(Math.ceil(width / 2))
      .jpeg()
      .toBuffer(),
    'JPEG quality 40': await opaque.clone().jpeg({ quality: 40 }).toBuffer(),
    'cropped by 3 % on all sides': await crop(x, y, x, y),
    'cropped by 3 % in all': await crop(Math.round(x / 2), Math.round(y / 2), Math.round(x / 2), Math.round(y / 2)),
    'cropped by 3 % left': await crop(x, 0, 0, 0),
    'cropped by 3 % bottom right': await crop(0, 0, x, y),
  }
}

/** Blocks the first images that have a perceptual hash, and compares altered copies and all other images with them. */
export async function measureBlocklist(
  candidates: Source[],
  wanted: number,
  others: Source[],
): Promise<BlocklistFigures> {
  const figures: BlocklistFigures = { blocked: 0, flat: 0, distinct: 0, recognized: {}, mistaken: [], hashMs: 0 }
  const index = createPerceptualIndex()
  const blocked: Buffer[] = []
  const unused: Source[] = []
  for (const source of candidates) {
    if (blocked.length === wanted) {
      unused.push(source)
      continue
    }
    const image = await source.load()
    const variants = await hashBlockedImage(image.clone())
    if (!variants) {
      figures.flat++
      continue
    }
    index.add(0, variants)
    blocked.push(await image.png().toBuffer())
  }
  figures.blocked = blocked.length
  for (const png of blocked) {
    for (const [change, bytes] of Object.entries(await alter(png))) {
      const isRecognized = index.find(await hashImage(sharp(bytes))) !== null
      figures.recognized[change] = (figures.recognized[change] ?? 0) + (isRecognized ? 100 / blocked.length : 0)
    }
  }
  for (const source of [...unused, ...others]) {
    const image = await source.load()
    const startedAt = performance.now()
    const hash = await hashImage(image)
    figures.hashMs += performance.now() - startedAt
    figures.distinct++
    if (index.find(hash) !== null) figures.mistaken.push(source.name)
  }
  figures.hashMs /= figures.distinct
  return figures
}

/** Returns the ms of a search among so many random images. */
function measureSearch(images: number): number {
  const index = createPerceptualIndex()
  const variants = Buffer.alloc(11 * 64)
  for (let image = 0; image < images; image++) {
    for (let at = 0; at < variants.length; at++) variants[at] = at % 64 < 32 ? Math.random() * 256 : 0xdd
    index.add(0, variants)
  }
  const searched = Array.from({ length: 20 }, () => Buffer.from(Array.from({ length: 64 }, () => Math.random() * 256)))
  const startedAt = performance.now()
  for (const hash of searched) index.find(hash)
  return (performance.now() - startedAt) / searched.length
}

async function main(folder: string | undefined): Promise<void> {
  sharp.concurrency(1)
  const files = folder ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort() : []
  const photos = files.filter((file) => /\.(jpe?g|png|webp)$/.test(file)).map((file) => photo(join(folder ?? '', file)))
  // Every 15th photo is a candidate, so that candidates come from all folders.
  const photoCandidates = photos.filter((_, position) => position % 15 === 0)
  const generated = Array.from({ length: 620 - Math.min(photoCandidates.length, 220) }, (_, at) =>
    generatedImage(1e6 + at),
  )
  const others = [
    ...photos.filter((_, position) => position % 15 !== 0),
    ...Array.from({ length: Math.max(10_000 - photos.length, 7000) }, (_, at) => generatedImage(at)),
  ]
  const figures = await measureBlocklist([...photoCandidates.slice(0, 220), ...generated], 300, others)
  const searchMs = measureSearch(100_000)
  process.stdout.write(`${JSON.stringify({ photos: photos.length, ...figures, searchMs }, null, 2)}\n`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main(process.argv[2])
