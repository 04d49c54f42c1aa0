import { decodeEntities } from '#server/features/news/feed/xml/entities.ts'
import { readHtml } from './readHtml.ts'
import { resolveUrl } from './urls.ts'

const EXTENSION = /\.(?:jpe?g|jfif|png|gif|webp|avif|bmp|tiff?)$/i
const TRACKING_PIXEL_SIZE = 2
/** Maximum width and height of avatars, emoji and buttons. */
const ICON_SIZE = 32
/** Limits the `srcset` width, because cards are only a few hundred pixels wide. */
const MAX_USEFUL_WIDTH = 1600
/** Limits the images checked per HTML text, because a hostile feed may have thousands. */
const MAX_CHECKED_IMAGES = 30
/** Narrower images are used only if the entry has no wider image. */
const MAX_THUMBNAIL_WIDTH = 120

const TRACKER_HOST =
  /(?:^|\.)(?:doubleclick\.net|feedsportal\.com|quantserve\.com|scorecardresearch\.com|google-analytics\.com|googlesyndication\.com|pheedo\.com|pixel\.wp\.com|stats\.wordpress\.com|feeds\.wordpress\.com|feeds\.feedburner\.com|feedproxy\.google\.com)$/
const AVATAR_HOST = /(?:^|\.)(?:gravatar\.com|avatars\d*\.githubusercontent\.com)$/
const TRACKER_PATH =
  /^\/tracker\/|\/_\/stat$|[/_-](?:1x1|pixel|spacer|blank|counter|transparent|clear|beacon)\.(?:gif|png|jpe?g)$/i
const EMOJI_PATH = /\/(?:emoji|smilies|smileys|twemoji)\//i
const BUTTON_NAME = /(?:facebook|twitter|reddit|linkedin|rss|share|email)[-_](?:icon|button)/i
const PLACEHOLDER_NAME = /[/_-](?:placeholder|loading|lazy|grey|gray|spinner)/i

export type ImageSize = { width?: string | undefined; height?: string | undefined }

/** Rejects tracking pixels, avatars, emoji and share buttons, by the declared size and the URL. */
export function isArticleImage(url: URL, { width, height }: ImageSize = {}): boolean {
  const [wide, high] = [pixels(width), pixels(height)]
  if (wide <= TRACKING_PIXEL_SIZE || high <= TRACKING_PIXEL_SIZE || (wide <= ICON_SIZE && high <= ICON_SIZE))
    return false
  const { hostname, pathname } = url
  return !(
    TRACKER_HOST.test(hostname) ||
    AVATAR_HOST.test(hostname) ||
    TRACKER_PATH.test(pathname) ||
    EMOJI_PATH.test(pathname) ||
    BUTTON_NAME.test(fileName(pathname))
  )
}

const fileName = (pathname: string) => pathname.slice(pathname.lastIndexOf('/'))

/** Parses `300`, `300px` or `300.0`. Returns infinity for an unknown size. */
function pixels(written: string | undefined): number {
  const number = /^(\d{1,6})(?:\.\d+)?\s*(?:px)?$/.exec((written ?? '').trim())?.[1]
  return number === undefined ? Number.POSITIVE_INFINITY : Number(number)
}

export const sortableWidth = (written: string | undefined) => (Number.isFinite(pixels(written)) ? pixels(written) : 0)

export const isThumbnail = (width: string | undefined) => pixels(width) < MAX_THUMBNAIL_WIDTH

export function isImageFile(url: URL, type: string | undefined, medium?: string): boolean {
  if (medium) return medium.toLowerCase() === 'image'
  if (type && !/octet-stream/i.test(type)) return /^image\b/i.test(type)
  return EXTENSION.test(url.pathname)
}

export function findFirstImage(text: string, base: URL): URL | null {
  // Some feeds escape HTML twice.
  const html = text.includes('<') || !text.includes('&lt;') ? text : decodeEntities(text)
  if (!/<img/i.test(html)) return null
  let found: URL | null = null
  let left = MAX_CHECKED_IMAGES
  readHtml(html, {
    tag: ({ name, attributes, closing }) => {
      if (name !== 'img' || closing) return true
      found = findImageUrl(attributes, base)
      return found === null && --left > 0
    },
  })
  return found
}

/** Lazy-loading scripts put the real URL into another attribute. */
const SOURCES = ['src', 'data-src', 'data-lazy-src', 'data-original', 'data-lazy', 'data-orig-file']
const SETS = ['srcset', 'data-srcset', 'data-lazy-srcset']

function findImageUrl(attributes: ReadonlyMap<string, string>, base: URL): URL | null {
  if (/\b(?:emoji|smiley|avatar|gravatar)/i.test(attributes.get('class') ?? '')) return null
  const style = attributes.get('style') ?? ''
  const size = {
    width: attributes.get('width') ?? /(?:^|[;\s])width:\s*(\d+)px/i.exec(style)?.[1],
    height: attributes.get('height') ?? /(?:^|[;\s])height:\s*(\d+)px/i.exec(style)?.[1],
  }
  const candidates = SOURCES.map((name) => attributes.get(name))
  for (const set of SETS) candidates.push(pickFromSrcset(attributes.get(set) ?? ''))
  for (const candidate of candidates) {
    const url = resolveUrl(candidate, base)
    if (url && !PLACEHOLDER_NAME.test(fileName(url.pathname))) return isArticleImage(url, size) ? url : null
  }
  return null
}

/** Returns the widest image of a `srcset` up to MAX_USEFUL_WIDTH, or the narrowest image if all are wider. */
function pickFromSrcset(set: string): string | undefined {
  let best: { url: string; width: number } | undefined
  // Splits only at a comma with a space after it, because URLs can contain commas.
  for (const candidate of set.slice(0, 10_000).split(/,\s+|,$/)) {
    const [url, descriptor] = candidate.trim().split(/\s+/)
    if (!url || url.startsWith('data:')) continue
    const width = descriptor?.endsWith('w') ? Number.parseInt(descriptor, 10) : 0
    const better = !best || (width > best.width ? width <= MAX_USEFUL_WIDTH : best.width > MAX_USEFUL_WIDTH)
    if (better) best = { url, width }
  }
  return best?.url
}
