import sharp from 'sharp'
import {
  animatedImage,
  gifWithFrames,
  jpegWithScans,
  noiseBytes,
  pngWithClaimedSize,
} from '#tests/helpers/sampleImages.ts'

const MiB = 1024 * 1024
const MAX_POST = 20_000

const fill = (piece: string, length: number) => piece.repeat(Math.floor(length / piece.length))

/** The longest allowed posts; each key names what makes the post expensive. */
export const longPosts = {
  bytes: fill('😀', MAX_POST * 2),
  spoilers: fill('[spoiler]a[/spoiler]', MAX_POST),
  lines: fill('a\n', MAX_POST),
  quotes: fill('>>1 ', MAX_POST),
  links: fill('http://a.de ', MAX_POST),
  escapes: fill('&', MAX_POST),
  marks: fill('\u0316\u0301', MAX_POST),
}

/** The largest allowed pastes; each key names what makes the paste expensive. */
export const longPastes = {
  code: fill("const a = 'b' // c\n", MiB),
  lines: fill('a\n', MiB),
  backtracking: fill('/* ', MiB),
}

/** Returns images close to the largest allowed size. */
export async function largeImages(): Promise<Record<string, Buffer>> {
  const create = { width: 7300, height: 5400, channels: 3, background: '#8b58fc' } as const
  const flat = sharp({ create, limitInputPixels: false })
  return {
    'JPEG of 39 megapixels': await flat.clone().jpeg().toBuffer(),
    'progressive JPEG of 39 megapixels': await flat.clone().jpeg({ progressive: true }).toBuffer(),
    'PNG of 39 megapixels': await flat.clone().png().toBuffer(),
    'WebP of 39 megapixels': await flat.clone().webp({ effort: 0 }).toBuffer(),
    'GIF of 99 megapixels in 396 frames': await animatedImage(396, 500, 500).gif().toBuffer(),
  }
}

/** Files that the server must refuse early. */
export const illegalImages: Record<string, Buffer> = {
  'JPEG of 48,000 scans': jpegWithScans(48_000),
  'GIF of 300,000 frames': gifWithFrames(300_000),
  'PNG that claims 400 megapixels': pngWithClaimedSize(20_000, 20_000, Buffer.alloc(10)),
  '5 MiB of noise': noiseBytes(5 * MiB),
}
