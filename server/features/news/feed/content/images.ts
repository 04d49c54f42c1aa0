import { decodeReferences } from '#server/features/news/feed/xml/entities.ts'
import { readHtml } from './readHtml.ts'
import { webAddress } from './urls.ts'

const EXTENSION = /\.(?:jpe?g|jfif|png|gif|webp|avif|bmp|tiff?)$/i
/** Nothing to see: it counts readers. */
const COUNTING_SIZE = 2
/** No picture of an article is that small: a face, a smiley, a button. */
const ICON_SIZE = 32
/** A card is a few hundred pixels wide; what is wider than this only costs. */
const WIDE_ENOUGH = 1600

/** A text that begins with so many pixels and smileys shows nothing else. */
const MAX_TRIED = 30

const COUNTING_HOST =
  /(?:^|\.)(?:doubleclick\.net|feedsportal\.com|quantserve\.com|scorecardresearch\.com|google-analytics\.com|googlesyndication\.com|pheedo\.com|pixel\.wp\.com|stats\.wordpress\.com|feeds\.wordpress\.com|feeds\.feedburner\.com|feedproxy\.google\.com)$/
const FACE_HOST = /(?:^|\.)(?:gravatar\.com|avatars\d*\.githubusercontent\.com)$/
const COUNTING_PATH =
  /^\/tracker\/|\/_\/stat$|[/_-](?:1x1|pixel|spacer|blank|counter|transparent|clear|beacon)\.(?:gif|png|jpe?g)$/i
const SMILEY_PATH = /\/(?:emoji|smilies|smileys|twemoji)\//i
const BUTTON_NAME = /(?:facebook|twitter|reddit|linkedin|rss|share|email)[-_](?:icon|button)/i
const PLACEHOLDER_NAME = /[/_-](?:placeholder|loading|lazy|grey|gray|spinner)/i

export type Size = { width?: string | undefined; height?: string | undefined }

/** Whether an address, with the size its document gives, may be a picture of the article. */
export function isPicture(url: URL, { width, height }: Size = {}): boolean {
  const [wide, high] = [pixels(width), pixels(height)]
  if (wide <= COUNTING_SIZE || high <= COUNTING_SIZE || (wide <= ICON_SIZE && high <= ICON_SIZE)) return false
  const { hostname, pathname } = url
  return !(
    COUNTING_HOST.test(hostname) ||
    FACE_HOST.test(hostname) ||
    COUNTING_PATH.test(pathname) ||
    SMILEY_PATH.test(pathname) ||
    BUTTON_NAME.test(fileName(pathname))
  )
}

/** The end of a path, from its last slash on. */
const fileName = (pathname: string) => pathname.slice(pathname.lastIndexOf('/'))

/** Of `300`, `300px` or `300.0`; what is no number of pixels may be any. */
function pixels(written: string | undefined): number {
  const number = /^(\d{1,6})(?:\.\d+)?\s*(?:px)?$/.exec((written ?? '').trim())?.[1]
  return number === undefined ? Number.POSITIVE_INFINITY : Number(number)
}

/** Width for sorting: unknown is least. */
export const widthOf = (written: string | undefined) => (Number.isFinite(pixels(written)) ? pixels(written) : 0)

/** Narrower than this a picture is for want of a better one. */
const NARROW = 120

export const isNarrow = (width: string | undefined) => pixels(width) < NARROW

/** Whether a file is an image, by what its feed says of it, else by its name. */
export function isImageFile(url: URL, type: string | undefined, medium?: string): boolean {
  if (medium) return medium.toLowerCase() === 'image'
  if (type && !/octet-stream/i.test(type)) return /^image\b/i.test(type)
  return EXTENSION.test(url.pathname)
}

/** The first picture an HTML text shows that is one, not a pixel to count by nor a face nor a button. */
export function firstImage(text: string, base: URL): URL | null {
  // Some escape once more than they should.
  const html = text.includes('<') || !text.includes('&lt;') ? text : decodeReferences(text)
  if (!/<img/i.test(html)) return null
  let found: URL | null = null
  let left = MAX_TRIED
  readHtml(html, {
    tag: ({ name, attributes, closing }) => {
      if (name !== 'img' || closing) return true
      found = pictureOf(attributes, base)
      return found === null && --left > 0
    },
  })
  return found
}

/** Pages that load pictures late give the true address somewhere else. */
const SOURCES = ['src', 'data-src', 'data-lazy-src', 'data-original', 'data-lazy', 'data-orig-file']
const SETS = ['srcset', 'data-srcset', 'data-lazy-srcset']

function pictureOf(attributes: ReadonlyMap<string, string>, base: URL): URL | null {
  if (/\b(?:emoji|smiley|avatar|gravatar)/i.test(attributes.get('class') ?? '')) return null
  const style = attributes.get('style') ?? ''
  const size = {
    width: attributes.get('width') ?? /(?:^|[;\s])width:\s*(\d+)px/i.exec(style)?.[1],
    height: attributes.get('height') ?? /(?:^|[;\s])height:\s*(\d+)px/i.exec(style)?.[1],
  }
  const candidates = SOURCES.map((name) => attributes.get(name))
  for (const set of SETS) candidates.push(widestOf(attributes.get(set) ?? ''))
  for (const candidate of candidates) {
    const url = webAddress(candidate, base)
    if (url && !PLACEHOLDER_NAME.test(fileName(url.pathname))) return isPicture(url, size) ? url : null
  }
  return null
}

/** Of `small.jpg 300w, large.jpg 1200w`, or `1.jpg, 2.jpg 2x`: the widest that is not wider than anybody needs. */
function widestOf(set: string): string | undefined {
  let best: { address: string; width: number } | undefined
  // Commas within an address are followed by no space.
  for (const candidate of set.slice(0, 10_000).split(/,\s+|,$/)) {
    const [address, descriptor] = candidate.trim().split(/\s+/)
    if (!address || address.startsWith('data:')) continue
    const width = descriptor?.endsWith('w') ? Number.parseInt(descriptor, 10) : 0
    const better = !best || (width > best.width ? width <= WIDE_ENOUGH : best.width > WIDE_ENOUGH)
    if (better) best = { address, width }
  }
  return best?.address
}
