import sharp, { type Sharp } from 'sharp'
import { CARD } from '#src/contract/image.ts'
import { LOGO, siteImageLimits } from '#src/contract/siteContent.ts'
import { openFile, openRaw, readMetadata } from './codec.ts'
import { ImageRejectedError } from './encodeImage.ts'
import { fitsLimits, type ImageFormat, readHeader } from './imageHeader.ts'
import { type Draw, drawIcons, type Icons } from './siteIcons.ts'
import { checkSvg, isSvg, withSvgDecoder } from './svg.ts'

/** The purpose of an operator's file. */
export type SiteImageUse = 'logo' | 'icons' | 'background' | 'banner'

/** `page` is a PNG for pages, whose size is in CSS px. `card` is one for link previews. */
export type Logo = { page: Size & { bytes: Buffer }; card: Size & { bytes: Buffer } }
/** A banner is served as it is. */
type CheckedBanner = { format: ImageFormat }
export type DrawnSiteImages = { logo: Logo; icons: Icons; background: Buffer; banner: CheckedBanner }

/** Sharp on screens with three pixels per CSS px. */
const DENSITY = 3
/** Largest size of a logo in link previews. */
const CARD_LOGO = { width: 700, height: 112 } as const

type Size = { width: number; height: number }
const LARGEST: Size = { width: siteImageLimits.side, height: siteImageLimits.side }

/**
 * Draws an operator's file in the sizes of its use. Only pixels leave: no script, reference or metadata of the file.
 * @throws ImageRejectedError with the reason, or the decoder's error
 */
export async function drawSiteImage<U extends SiteImageUse>(bytes: Buffer, use: U): Promise<DrawnSiteImages[U]>
export async function drawSiteImage(bytes: Buffer, use: SiteImageUse) {
  if (use === 'banner') return checkBanner(bytes)
  if (isSvg(bytes)) {
    checkSvg(bytes)
    return withSvgDecoder(async () => DRAWINGS[use](await openSvg(bytes)))
  }
  return DRAWINGS[use](await openPixels(bytes))
}

const DRAWINGS: { [U in Exclude<SiteImageUse, 'banner'>]: (draw: Draw) => Promise<DrawnSiteImages[U]> } = {
  async logo(draw) {
    const page = await encodePng(await draw({ width: LOGO.width * DENSITY, height: LOGO.height * DENSITY }))
    const card = await encodePng(await draw(CARD_LOGO))
    return { page: { ...page, width: page.width / DENSITY, height: page.height / DENSITY }, card }
  },
  icons: drawIcons,
  background: async (draw) => (await draw(CARD, 'cover')).flatten().jpeg({ quality: 90 }).toBuffer(),
}

async function encodePng(image: Sharp) {
  const { data, info } = await image.png({ compressionLevel: 9 }).toBuffer({ resolveWithObject: true })
  return { bytes: data, width: info.width, height: info.height }
}

async function openSvg(bytes: Buffer): Promise<Draw> {
  const { width, height } = await readMetadata(bytes)
  checkSize({ width, height }, LARGEST)
  return (box, fit) => resize(sharp(bytes, { failOn: 'error' }), box, fit)
}

async function openPixels(bytes: Buffer): Promise<Draw> {
  await checkPixels(bytes, LARGEST)
  return (box, fit) => resize(openFile(bytes, false), box, fit)
}

async function checkBanner(bytes: Buffer): Promise<CheckedBanner> {
  const { bannerWidth, bannerHeight } = siteImageLimits
  const format = await checkPixels(bytes, { width: bannerWidth, height: bannerHeight })
  // Decodes the first frame: a broken file would leave a hole in the page.
  await openFile(bytes, false).raw().toBuffer()
  return { format }
}

/** Checks the header before and after a decoder reads it. */
async function checkPixels(bytes: Buffer, max: Size): Promise<ImageFormat> {
  const header = readHeader(bytes)
  if (!header) throw new ImageRejectedError('type', 'it is not an image of a supported kind, or it is broken')
  checkSize(header, max)
  if (!fitsLimits(header)) throw new ImageRejectedError('pixels', 'its frames have too many pixels')
  const { format, width, height } = await readMetadata(bytes)
  if (format !== header.format || width !== header.width || height !== header.height) {
    throw new ImageRejectedError('type', 'its header is wrong')
  }
  return header.format
}

/** Guards against small files that need much memory. */
function checkSize({ width, height }: Size, max: Size): void {
  if (width <= max.width && height <= max.height) return
  throw new ImageRejectedError(
    'pixels',
    `it has ${width} × ${height} pixels. At most ${max.width} × ${max.height} are allowed`,
  )
}

async function resize(image: Sharp, box: Size, fit: 'inside' | 'cover' = 'inside'): Promise<Sharp> {
  const { data, info } = await image
    .toColourspace('srgb')
    .ensureAlpha()
    .resize({ ...box, fit })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return openRaw(data, info)
}
