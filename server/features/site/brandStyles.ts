import { createHash } from 'node:crypto'
import { converter, formatHex, type Oklch, toGamut, wcagContrast } from 'culori'
import type { FastifyInstance } from 'fastify'
import type { Services } from '#server/core/context.ts'
import { DEFAULT_ACCENT, type Site } from '#src/contract/site.ts'
import { type Branding, LOGO_PATH } from '#src/contract/siteContent.ts'
import { BANNER_STYLES } from './images/banners.ts'
import type { SiteImages, SiteLogo } from './images/siteImages.ts'

/** Backgrounds of `src/styles/tokens.css`. */
const DARK = { page: '#0d0d12', raised: '#1c1c27' }
const LIGHT = { sunken: '#edebf4' }
const WHITE = '#fff'
/** WCAG 2.2: text 1.4.3, and other marks 1.4.11 */
const TEXT_CONTRAST = 4.5
const MARK_CONTRAST = 3

/** `chroma` is relative to that of the accent. `on` is the background on which text of the shade must be readable. */
type Shade = { lightness: number; chroma: number; on?: string }

/** Shades of `src/styles/tokens.css`, measured in OKLCH. */
const SHADES: Record<string, Shade> = {
  50: { lightness: 0.945, chroma: 0.13 },
  100: { lightness: 0.83, chroma: 0.38 },
  300: { lightness: 0.772, chroma: 0.35 },
  400: { lightness: 0.676, chroma: 0.82, on: DARK.raised },
  600: { lightness: 0.56, chroma: 0.92, on: WHITE },
  650: { lightness: 0.528, chroma: 0.92, on: WHITE },
  700: { lightness: 0.489, chroma: 0.91, on: LIGHT.sunken },
  820: { lightness: 0.4, chroma: 0.47 },
  850: { lightness: 0.385, chroma: 0.53 },
  950: { lightness: 0.219, chroma: 0.22 },
}
const STEP = 0.005

const toOklch = converter('oklch')
const fitInSrgb = toGamut('rgb', 'oklch')

/** Describes an accent for admins. */
export function describeAccent(accent: string): Branding['accent'] {
  const shades = Object.entries(createBrandShades(accent)).map(([name, colour]) => {
    const on = SHADES[name]?.on
    return { name, colour, text: on === undefined ? null : { on, contrast: wcagContrast(colour, on) } }
  })
  return { colour: accent, contrast: wcagContrast(accent, DARK.page), shades }
}

/** @throws Error if marks in this colour could not be seen on the dark background */
export function assertVisibleAccent(accent: string): void {
  const contrast = wcagContrast(accent, DARK.page)
  if (contrast >= MARK_CONTRAST) return
  throw new Error(
    `accent: ${accent} has a contrast of ${contrast.toFixed(1)}:1 with the dark background ${DARK.page}, but needs ${MARK_CONTRAST}:1. Choose a lighter colour`,
  )
}

/** Returns the shades of an accent by number. `500` is the accent itself. */
export function createBrandShades(accent: string): Record<string, string> {
  const { c, h } = toOklch(accent) as Oklch
  const shades = Object.entries(SHADES).map(([number, { lightness, chroma, on }]) => [
    number,
    findReadable({ mode: 'oklch', l: lightness, c: c * chroma, ...(h !== undefined && { h }) }, on),
  ])
  return { ...Object.fromEntries(shades), 500: accent }
}

/** Moves the lightness away from that of the background until text can be read. */
function findReadable(colour: Oklch, on: string | undefined): string {
  const step = on === DARK.raised ? STEP : -STEP
  for (let l = colour.l; ; l += step) {
    const hex = formatHex(fitInSrgb({ ...colour, l }))
    if (on === undefined || wcagContrast(hex, on) >= TEXT_CONTRAST) return hex
  }
}

/** Returns a style sheet that replaces the shades of `src/styles/tokens.css`. */
const writeBrandStyles = (accent: string): string =>
  `:root{${Object.entries(createBrandShades(accent))
    .map(([number, hex]) => `--brand-${number}:${hex}`)
    .join(';')}}`

/** A wider logo is taken to contain the site's name. */
const NAME_RATIO = 2
/** @param length in CSS px */
const toRem = (length: number) => `${Number((length / 16).toFixed(3))}rem`

/** Returns whether a logo replaces the site's name, and not only its mark. */
export const hasName = ({ page: { width, height } }: Pick<SiteLogo, 'page'>): boolean => width / height >= NAME_RATIO

/**
 * Returns a style sheet that shows the logo instead of the mark in `src/features/site/Wordmark.tsx`. In an image element,
 * a logo would need a script to follow the theme, and code on every page. The size is known before the file loads, and
 * screen readers read the name. The selectors are stronger than the component's.
 */
function writeLogoStyles(logo: SiteLogo, darkLogo: SiteLogo | null): string {
  const { width, height } = logo.page
  const mark = 'a[data-wordmark]::before'
  const rules = [
    'a[data-wordmark] svg{display:none}',
    `${mark}{content:"";flex:none;width:${toRem(width)};height:${toRem(height)};background:url(${logoUrl(logo)}) center/contain no-repeat}`,
    // Cuts off the name, which is behind the logo.
    hasName(logo) ? `a[data-wordmark]{width:${toRem(width)};overflow:hidden}` : '',
  ]
  if (darkLogo) {
    const shown = `{background-image:url(${logoUrl(darkLogo)})}`
    rules.push(
      `@media(prefers-color-scheme:dark){:root:not([data-theme=light]) ${mark}${shown}}`,
      `:root[data-theme=dark] ${mark}${shown}`,
    )
  }
  return rules.join('')
}

export const logoUrl = ({ hash }: Pick<SiteLogo, 'hash'>): string => `${LOGO_PATH}/${hash}.png`

const PATH = '/brand.css'
const CACHED = 'public, max-age=31536000, immutable'

type Look = Pick<Site, 'accent'> & Pick<SiteImages, 'logo' | 'darkLogo' | 'banners'>

/** Returns the URL of the style sheet with the site's colours, logo and banners; null if it needs none. */
export function brandStylesUrl(look: Look): string | null {
  const styles = writeStyles(look)
  return styles === '' ? null : urlOf(styles)
}

const urlOf = (styles: string) => `${PATH}?${createHash('sha256').update(styles).digest('base64url').slice(0, 10)}`

/** Deriving the shades takes milliseconds, and every page needs the URL. */
const brandStyles = new Map<string, string>()

function writeStyles({ accent, logo, darkLogo, banners }: Look): string {
  const isDefault = accent.toLowerCase() === DEFAULT_ACCENT
  const shades = brandStyles.get(accent) ?? (isDefault ? '' : writeBrandStyles(accent))
  brandStyles.set(accent, shades)
  return shades + (logo ? writeLogoStyles(logo, darkLogo) : '') + (banners.length > 0 ? BANNER_STYLES : '')
}

export function registerBrandStyles(app: FastifyInstance, { siteImages }: Pick<Services, 'siteImages'>, site: Site) {
  app.get(PATH, async (request, reply) => {
    const styles = writeStyles({ ...site, ...(await siteImages()) })
    if (styles === '') return reply.callNotFound()
    // The page may be older than the logo.
    const cacheControl = request.url === urlOf(styles) ? CACHED : 'no-cache'
    return reply.header('cache-control', cacheControl).type('text/css; charset=utf-8').send(styles)
  })
}
