import sharp from 'sharp'
import { withSvgDecoder } from '#server/core/media/svgDecoder.ts'
import { UploadedFile } from '#src/contract/image.ts'
import type { Random } from './random.ts'

const SIZES = [
  { width: 1280, height: 720 },
  { width: 720, height: 960 },
  { width: 1600, height: 520 },
  { width: 640, height: 640 },
]
const FORMATS = ['png', 'webp', 'jpeg'] as const

export async function createImage(random: Random): Promise<UploadedFile> {
  const { width, height } = random.pick(SIZES)
  const format = random.pick(FORMATS)
  const hue = random.int(0, 359)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <linearGradient id="gradient" x2="1" y2="1">
      <stop stop-color="hsl(${hue}, 20%, 14%)"/>
      <stop offset="1" stop-color="hsl(${(hue + random.int(40, 180)) % 360}, 18%, 30%)"/>
    </linearGradient>
    <rect width="100%" height="100%" fill="url(#gradient)"/>
  </svg>`
  const bytes = await withSvgDecoder(() => sharp(Buffer.from(svg)).flatten().toFormat(format).toBuffer())
  return new UploadedFile(`gradient.${format}`, `image/${format}`, bytes)
}
