import sharp, { type OverlayOptions } from 'sharp'
import { CARD } from '#src/contract/image.ts'
import { openFile, openRaw } from './codec.ts'
import { MARK, MARK_BASELINE, MARK_UNITS } from './mark.ts'
import { withSvgDecoder } from './svg.ts'
import { breakLines, type Face, loadFace } from './textOutline.ts'

/** `past` is for dim marks, `text` for accented text. */
export type BrandColours = { accent: string; text: string; past: string }

type CardSite = {
  name: string
  tagline: string
  colours: BrandColours
  /** the size of the logo in any unit, and whether it contains the name; null if the site has its mark */
  logo: { width: number; height: number; hasName: boolean } | null
  hasBackground: boolean
}

/** The content of an image for link previews. Without a thread, it is the image of the site. */
export type Card = {
  type: 'png' | 'jpeg'
  site: CardSite
  thread?: { title: string; board: string }
}

/** Files that we encoded. `picture` is that of the thread. */
export type CardImages = { picture: Buffer | null; logo: Buffer | null; background: Buffer | null }

const EDGE = 72
const PICTURE = { side: 380, left: CARD.width - EDGE - 380, top: 150 } as const

/** The dark theme of `src/styles/tokens.css`. */
const COLOURS = {
  background: '#0d0d12',
  line: '#262633',
  rest: '#34344a',
  text: '#eeeef6',
  text2: '#b6b6c8',
  text3: '#9090a6',
}
/** Emoji, invisible characters and their modifiers: fonts lack them, and titles read well without them. */
const UNDRAWN = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\p{Cf}\p{Cc}\p{M}]/gu

/** As on the site's pages: titles are semibold, the site's name is bold. */
type Faces = { title: Face; text: Face; name: Face }

/**
 * Draws a preview image. Titles that the fonts cannot draw get the site's image, and a site's name that they cannot draw
 * gets the mark alone.
 */
export async function renderCard(card: Card, { picture, logo, background }: CardImages): Promise<Buffer> {
  const { site, thread } = card
  const faces = {
    title: await loadFace('hanken-grotesk', 600, [clean(thread?.title ?? '')]),
    text: await loadFace('hanken-grotesk', 400, [clean(site.tagline)]),
    name: await loadFace('martian-mono', 700, [clean(site.name)]),
  }
  const thumbnail = picture && (await renderPicture(picture))
  const body = drawThread(card, faces, thumbnail !== null) ?? drawSite(card, faces)
  const layers: OverlayOptions[] = []
  if (logo && body.logo) layers.push({ ...CORNER, input: await openFile(logo, false).resize(body.logo).toBuffer() })
  if (thumbnail && body.hasPicture) layers.push({ input: thumbnail, left: PICTURE.left, top: PICTURE.top })
  const drawing = await rasterize(svg(body.paths, background ? body.textOn : 'none'))
  const image = background
    ? openFile(background, false).composite([{ input: drawing.data, raw: drawing.info }, ...layers])
    : openRaw(drawing.data, drawing.info).composite(layers)
  image.removeAlpha()
  return card.type === 'png'
    ? image.png({ palette: true, effort: 7 }).toBuffer()
    : image.jpeg({ quality: 86, chromaSubsampling: '4:4:4' }).toBuffer()
}

const clean = (text: string) => text.normalize('NFC').replace(UNDRAWN, '').replace(/\s+/g, ' ').trim()

/** `logo` is its size in pixels. `textOn` is the part of a background that must be dark. */
type Body = { paths: string; hasPicture: boolean; logo: Size | null; textOn: 'whole' | 'upper' }
type Size = { width: number; height: number }

function drawThread({ site, thread }: Card, faces: Faces, hasPicture: boolean): Body | null {
  const title = clean(thread?.title ?? '')
  if (!thread || title === '' || !faces.title.covers(title)) return null
  const width = (hasPicture ? PICTURE.left - 48 : CARD.width - EDGE) - EDGE
  const sizes = [72, 62, 54, 46].map((size) => ({
    size,
    ...breakLines(faces.title, title, { size, width, maxLines: linesOf(size) }),
  }))
  const { size, lines } = sizes.find(({ fits }) => fits) ?? (sizes.at(-1) as (typeof sizes)[number])
  const top = 222
  const head = drawHead(site, faces, { height: 48, gap: 18, size: 34 })
  const paths = [
    head.paths,
    line(faces.name, `/${thread.board}/`, { x: EDGE, y: 176, size: 26 }, site.colours.text),
    ...lines.map((text, index) =>
      line(faces.title, text, { x: EDGE, y: top + size * (0.85 + index * 1.16), size }, COLOURS.text),
    ),
    line(faces.text, fitLine(faces.text, site.tagline, 28), { x: EDGE, y: 562, size: 28 }, quietColour(site)),
    ruler(0, CARD.width, CARD.height),
  ]
  return { paths: paths.join(''), hasPicture, logo: head.logo, textOn: 'whole' }
}

/** The title has about 290 px above the tagline. */
const linesOf = (size: number) => Math.floor(290 / (size * 1.16))

function drawSite({ site }: Card, faces: Faces): Body {
  const tagline = breakLines(faces.text, clean(site.tagline), { size: 36, width: CARD.width - 2 * EDGE, maxLines: 2 })
  const head = drawHead(site, faces, { height: 112, gap: 24, size: 76 })
  const paths = [
    head.paths,
    ...tagline.lines.map((text, index) =>
      line(
        faces.text,
        text,
        { x: EDGE, y: 232 + index * 46, size: 36 },
        site.hasBackground ? COLOURS.text : COLOURS.text2,
      ),
    ),
    site.hasBackground ? '' : dial(site.colours),
  ]
  return { paths: paths.join(''), hasPicture: false, logo: head.logo, textOn: 'upper' }
}

const MAX_LOGO_WIDTH = 700
const CORNER = { left: EDGE, top: 56 } as const

/** Draws the mark, or leaves a place for the logo, with the site's name beside it. */
function drawHead(site: CardSite, faces: Faces, { height, gap, size }: { height: number; gap: number; size: number }) {
  const logo = site.logo && shrink(site.logo, { width: MAX_LOGO_WIDTH, height })
  const x = EDGE + (logo?.width ?? height) + gap
  const width = faces.name.measure(clean(site.name), size)
  const fitted = size * Math.min(1, (CARD.width - EDGE - x) / Math.max(1, width))
  const y = CORNER.top + (logo ? height / 2 + fitted * HALF_CAPITAL : (height * MARK_BASELINE) / MARK_UNITS)
  const name = site.logo?.hasName ? '' : line(faces.name, site.name, { x, y, size: fitted }, COLOURS.text)
  return { paths: logo ? name : mark(site, EDGE, CORNER.top, height) + name, logo }
}

function shrink({ width, height }: Size, max: Size): Size {
  const factor = Math.min(1, max.width / width, max.height / height)
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) }
}

/** Half the height of capital letters, in the unit of their size. */
const HALF_CAPITAL = 0.36

/** Dim text cannot be read on an image. */
const quietColour = ({ hasBackground }: CardSite) => (hasBackground ? COLOURS.text : COLOURS.text3)

/** Returns nothing for a text that the typeface lacks. */
function line(face: Face, text: string, at: { x: number; y: number; size: number }, colour: string): string {
  const cleaned = clean(text)
  return face.covers(cleaned) ? `<path fill="${colour}" d="${face.outline(cleaned, at)}"/>` : ''
}

const fitLine = (face: Face, text: string, size: number) =>
  breakLines(face, clean(text), { size, width: CARD.width - 2 * EDGE, maxLines: 1 }).lines[0] ?? ''

const mark = ({ colours }: Card['site'], x: number, y: number, side: number) =>
  `<path fill="${colours.accent}" transform="translate(${x} ${y}) scale(${side / MARK_UNITS})" d="${MARK}"/>`

const PITCH = 12
const bars = (colour: string, rects: [x: number, bottom: number, height: number][]) =>
  `<path fill="${colour}" d="${rects.map(([x, bottom, height]) => `M${x} ${bottom - height}h6v${height}h-6z`).join('')}"/>`

/** Ticks at rest: every sixth one is taller. */
const ruler = (from: number, to: number, bottom: number) =>
  bars(
    COLOURS.rest,
    Array.from({ length: Math.ceil((to - from) / PITCH) }, (_, index) => [
      from + index * PITCH,
      bottom,
      index % 6 === 0 ? 24 : 12,
    ]),
  )

const BOTTOM = 570
const NEEDLE = 72
const CURRENT = 14
/** A day of levels, drawn as on the home page: past hours are dim, the latest ones have the accent. */
function dial({ accent, past }: BrandColours): string {
  const heights = Array.from({ length: NEEDLE }, (_, index) => {
    const evening = 150 * Math.exp(-(((index - 33) / 7) ** 2))
    const now = 190 * Math.exp(-(((index - 66) / 9) ** 2))
    const ripple = 1 + 0.22 * Math.sin(index * 2.4) + 0.12 * Math.sin(index * 5.1)
    return Math.round(16 + (evening + now) * ripple)
  })
  const rects = heights.map((height, index): [number, number, number] => [index * PITCH, BOTTOM, height])
  const needle = NEEDLE * PITCH + 4
  return [
    bars(past, rects.slice(0, -CURRENT)),
    bars(accent, rects.slice(-CURRENT)),
    ruler(needle + 8, CARD.width, BOTTOM),
    `<path fill="${COLOURS.text}" d="M${needle} 300h4v${BOTTOM - 300}h-4z"/>`,
    `<path fill="${COLOURS.line}" d="M0 ${BOTTOM}h${CARD.width}v2H0z"/>`,
  ].join('')
}

/** Darkens a background so that white text on a white image has a contrast of 7:1. */
const SCRIM = 0.75
/** The image of the site has no text in its lower half. */
const LOWER_SCRIM = 0.25

const svg = (paths: string, background: 'none' | 'whole' | 'upper') =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${CARD.width}" height="${CARD.height}"><linearGradient id="scrim" x2="0" y2="1"><stop offset="0.5" stop-color="${COLOURS.background}" stop-opacity="${SCRIM}"/><stop offset="1" stop-color="${COLOURS.background}" stop-opacity="${background === 'upper' ? LOWER_SCRIM : SCRIM}"/></linearGradient><rect width="100%" height="100%" fill="${background === 'none' ? COLOURS.background : 'url(#scrim)'}"/>${paths}</svg>`

const rasterize = (text: string) =>
  withSvgDecoder(() => sharp(Buffer.from(text)).ensureAlpha().raw().toBuffer({ resolveWithObject: true }))

/** Returns null for a picture that cannot be decoded: the card is drawn without it. */
const renderPicture = (picture: Buffer): Promise<Buffer | null> =>
  openFile(picture, false)
    .resize(PICTURE.side, PICTURE.side, { fit: 'cover' })
    .flatten({ background: COLOURS.background })
    .png()
    .toBuffer()
    .catch(() => null)
