import sharp, { type Sharp } from 'sharp'
import { PODCAST_IMAGE } from '#src/contract/archive.ts'

/** The icons of a site by file name. */
export type Icons = Record<string, Buffer>

type Size = { width: number; height: number }
/** Draws an image at the largest size that fits into a box, as RGBA. */
export type Draw = (box: Size, fit?: 'inside' | 'cover') => Promise<Sharp>

/** Sizes in pixels. `inner` is the place of an image with transparent parts: 16 units wide, as the site's own mark. */
type IconKind = { side: number; inner: number; isMaskable?: boolean; isJpeg?: boolean }

const KINDS: Record<string, IconKind> = {
  'apple-touch-icon.png': { side: 180, inner: 112 },
  'icon-192.png': { side: 192, inner: 144 },
  'icon-512.png': { side: 512, inner: 384 },
  // Launchers cut maskable icons to a circle whose diameter is 80 % of the side.
  'icon-maskable-192.png': { side: 192, inner: 96, isMaskable: true },
  'icon-maskable-512.png': { side: 512, inner: 256, isMaskable: true },
  // Podcast directories want 1400 to 3000 pixels in RGB, without a palette, and small files.
  [PODCAST_IMAGE]: { side: 1400, inner: 1008, isJpeg: true },
}
const ICO = 'favicon.ico'
const VECTOR = 'favicon.svg'

const FAVICON_SIDES = [16, 32]
const VECTOR_SIDE = 128
/** Large enough to judge colours. */
const SAMPLE_SIDE = 64

type Rgb = { r: number; g: number; b: number }
/** As in `src/styles/tokens.css`. */
const DARK = { r: 0x0d, g: 0x0d, b: 0x12 }
const LIGHT = { r: 0xf6, g: 0xf5, b: 0xfa }
/** Darker images would not be seen on the dark background. */
const DARK_LUMA = 70

/** Draws all icons from one image. Home screens show transparent pixels as black, so their icons get a background. */
export async function drawIcons(draw: Draw): Promise<Icons> {
  const background = await chooseBackground(draw)
  const icons: Icons = {}
  for (const [name, kind] of Object.entries(KINDS)) icons[name] = await drawIcon(draw, kind, background)
  const favicons: { side: number; png: Buffer }[] = []
  for (const side of FAVICON_SIDES) favicons.push({ side, png: await drawSquare(draw, side) })
  icons[ICO] = packIco(favicons)
  icons[VECTOR] = wrapInSvg(await drawSquare(draw, VECTOR_SIDE))
  return icons
}

const drawSquare = async (draw: Draw, side: number): Promise<Buffer> =>
  (await draw({ width: side, height: side }))
    .resize(side, side, { fit: 'contain', background: { ...DARK, alpha: 0 } })
    .png({ compressionLevel: 9 })
    .toBuffer()

type Background = { colour: Rgb; isOpaque: boolean }

async function drawIcon(draw: Draw, { side, inner, isMaskable, isJpeg }: IconKind, { colour, isOpaque }: Background) {
  const square = await drawSquare(draw, isOpaque && !isMaskable ? side : inner)
  const icon = sharp({ create: { width: side, height: side, channels: 3, background: colour } })
  icon.composite([{ input: square }])
  // Composing adds an alpha channel, which a JPEG drops.
  return (
    isJpeg ? icon.jpeg({ quality: 90, chromaSubsampling: '4:4:4' }) : icon.png({ compressionLevel: 9, palette: true })
  ).toBuffer()
}

/** An opaque image continues in the colour of its corner. Another one gets the background on which it is seen. */
async function chooseBackground(draw: Draw): Promise<Background> {
  const data = await (await draw({ width: SAMPLE_SIDE, height: SAMPLE_SIDE })).raw().toBuffer()
  const [r = 0, g = 0, b = 0, opacity] = data
  if (opacity === 255) return { colour: { r, g, b }, isOpaque: true }
  let [sum, weight] = [0, 0]
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = [data[at], data[at + 1], data[at + 2], data[at + 3]]
    sum += (0.2126 * red + 0.7152 * green + 0.0722 * blue) * alpha
    weight += alpha
  }
  return { colour: sum / Math.max(1, weight) < DARK_LUMA ? LIGHT : DARK, isOpaque: false }
}

/** Browsers prefer an SVG, so it gets the same pixels. */
const wrapInSvg = (png: Buffer): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${VECTOR_SIDE} ${VECTOR_SIDE}"><image width="${VECTOR_SIDE}" height="${VECTOR_SIDE}" href="data:image/png;base64,${png.toString('base64')}"/></svg>`,
  )

const ICO_HEADER_BYTES = 6
const ICO_ENTRY_BYTES = 16

/** Packs square PNG images into an ICO file. */
function packIco(images: { side: number; png: Buffer }[]): Buffer {
  const header = Buffer.alloc(ICO_HEADER_BYTES + ICO_ENTRY_BYTES * images.length)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(images.length, 4)
  let offset = header.length
  for (const [index, { side, png }] of images.entries()) {
    const at = ICO_HEADER_BYTES + ICO_ENTRY_BYTES * index
    header.writeUInt8(side, at)
    header.writeUInt8(side, at + 1)
    header.writeUInt16LE(1, at + 4)
    header.writeUInt16LE(32, at + 6)
    header.writeUInt32LE(png.length, at + 8)
    header.writeUInt32LE(offset, at + 12)
    offset += png.length
  }
  return Buffer.concat([header, ...images.map(({ png }) => png)])
}
