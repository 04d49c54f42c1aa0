import sharp, { type Sharp } from 'sharp'
import { CARD } from '#src/contract/image.ts'
import { openFile } from './codec.ts'
import { breakLines, type Face, loadFace } from './textOutline.ts'

/** `past` is for dim marks, `text` for accented text. */
export type BrandColours = { accent: string; text: string; past: string }

/** The content of an image for link previews. Without a thread, it is the image of the site. */
export type Card = {
  type: 'png' | 'jpeg'
  site: { name: string; tagline: string; colours: BrandColours }
  thread?: { title: string; board: string }
}

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
/** The site's mark, as in public/favicon.svg: 16 units wide and high, with a baseline at 11. */
const MARK = 'M1 5h2v6H1zM5 1h2v10H5zM9 5h2v10H9zM13 5h2v6h-2z'
/** Emoji, invisible characters and their modifiers: fonts lack them, and titles read well without them. */
const UNDRAWN = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\p{Cf}\p{Cc}\p{M}]/gu

/** As on the site's pages: titles are semibold, the site's name is bold. */
type Faces = { title: Face; text: Face; name: Face }

/**
 * Draws a preview image. Titles that the fonts cannot draw get the site's image, and a site's name that they cannot draw
 * gets the mark alone.
 * @param picture the thread's picture, a file that we encoded
 */
export async function renderCard(card: Card, picture: Buffer | null): Promise<Buffer> {
  const { site, thread } = card
  const faces = {
    title: await loadFace('sans', 600, [clean(thread?.title ?? '')]),
    text: await loadFace('sans', 400, [clean(site.tagline)]),
    name: await loadFace('mono', 700, [clean(site.name)]),
  }
  const thumbnail = picture && (await renderPicture(picture))
  const body = drawThread(card, faces, thumbnail !== null) ?? drawSite(card, faces)
  const image = (await rasterize(svg(body.paths))).composite(
    thumbnail && body.hasPicture ? [{ input: thumbnail, left: PICTURE.left, top: PICTURE.top }] : [],
  )
  return card.type === 'png'
    ? image.png({ palette: true, effort: 7 }).toBuffer()
    : image.jpeg({ quality: 86, chromaSubsampling: '4:4:4' }).toBuffer()
}

const clean = (text: string) => text.normalize('NFC').replace(UNDRAWN, '').replace(/\s+/g, ' ').trim()

type Body = { paths: string; hasPicture: boolean }

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
  const paths = [
    mark(site, EDGE, 56, 48),
    line(faces.name, site.name, { x: EDGE + 66, y: 56 + 33, size: 34 }, COLOURS.text),
    line(faces.name, `/${thread.board}/`, { x: EDGE, y: 176, size: 26 }, site.colours.text),
    ...lines.map((text, index) =>
      line(faces.title, text, { x: EDGE, y: top + size * (0.85 + index * 1.16), size }, COLOURS.text),
    ),
    line(faces.text, fitLine(faces.text, site.tagline, 28), { x: EDGE, y: 562, size: 28 }, COLOURS.text3),
    ruler(0, CARD.width, CARD.height),
  ]
  return { paths: paths.join(''), hasPicture }
}

/** The title has about 290 px above the tagline. */
const linesOf = (size: number) => Math.floor(290 / (size * 1.16))

function drawSite({ site }: Card, faces: Faces): Body {
  const name = clean(site.name)
  const tagline = breakLines(faces.text, clean(site.tagline), { size: 36, width: CARD.width - 2 * EDGE, maxLines: 2 })
  const nameX = EDGE + 136
  const size = Math.min(76, (76 * (CARD.width - EDGE - nameX)) / Math.max(1, faces.name.measure(name, 76)))
  const paths = [
    mark(site, EDGE, 56, 112),
    line(faces.name, name, { x: nameX, y: 56 + 77, size }, COLOURS.text),
    ...tagline.lines.map((text, index) =>
      line(faces.text, text, { x: EDGE, y: 232 + index * 46, size: 36 }, COLOURS.text2),
    ),
    dial(site.colours),
  ]
  return { paths: paths.join(''), hasPicture: false }
}

/** Returns nothing for a text that the typeface lacks. */
function line(face: Face, text: string, at: { x: number; y: number; size: number }, colour: string): string {
  const cleaned = clean(text)
  return face.covers(cleaned) ? `<path fill="${colour}" d="${face.outline(cleaned, at)}"/>` : ''
}

const fitLine = (face: Face, text: string, size: number) =>
  breakLines(face, clean(text), { size, width: CARD.width - 2 * EDGE, maxLines: 1 }).lines[0] ?? ''

const mark = ({ colours }: Card['site'], x: number, y: number, side: number) =>
  `<path fill="${colours.accent}" transform="translate(${x} ${y}) scale(${side / 16})" d="${MARK}"/>`

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

const svg = (paths: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${CARD.width}" height="${CARD.height}"><rect width="100%" height="100%" fill="${COLOURS.background}"/>${paths}</svg>`

const SVG_DECODER = { operation: ['VipsForeignLoadSvgBuffer'] }

/** Decodes our own SVG. The decoder is blocked otherwise, so that it never sees an upload (`codec.ts`). */
async function rasterize(text: string): Promise<Sharp> {
  sharp.unblock(SVG_DECODER)
  try {
    const { data, info } = await sharp(Buffer.from(text)).flatten().raw().toBuffer({ resolveWithObject: true })
    return sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } })
  } finally {
    sharp.block(SVG_DECODER)
  }
}

/** Returns null for a picture that cannot be decoded: the card is drawn without it. */
const renderPicture = (picture: Buffer): Promise<Buffer | null> =>
  openFile(picture, false)
    .resize(PICTURE.side, PICTURE.side, { fit: 'cover' })
    .flatten({ background: COLOURS.background })
    .png()
    .toBuffer()
    .catch(() => null)
