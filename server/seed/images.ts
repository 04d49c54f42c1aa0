import sharp from 'sharp'
import { withSvgDecoder } from '#server/core/media/svg.ts'
import { UploadedFile } from '#src/contract/image.ts'
import { motifs } from './motifs.ts'
import type { Random } from './random.ts'

const SIZES = [
  { width: 1280, height: 720 },
  { width: 720, height: 960 },
  { width: 1280, height: 800 },
  { width: 800, height: 800 },
]

/** Draws what people of such a board post: a trace of an oscilloscope, a terminal, a circuit board, a mast on a hill. */
export async function createImage(random: Random): Promise<UploadedFile> {
  const size = random.pick(SIZES)
  const { name, format, draw } = random.pick(motifs)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}">${draw(random, size)}</svg>`
  const bytes = await withSvgDecoder(() => sharp(Buffer.from(svg)).flatten().toFormat(format).toBuffer())
  return new UploadedFile(`${name}.${format}`, `image/${format}`, bytes)
}
