import { converter, formatHex, type Oklch, toGamut, wcagContrast } from 'culori'
import type { Branding } from '#src/contract/siteContent.ts'

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
  200: { lightness: 0.856, chroma: 0.35 },
  300: { lightness: 0.772, chroma: 0.35 },
  400: { lightness: 0.676, chroma: 0.82, on: DARK.raised },
  600: { lightness: 0.56, chroma: 0.92, on: WHITE },
  650: { lightness: 0.528, chroma: 0.92, on: WHITE },
  700: { lightness: 0.489, chroma: 0.91, on: LIGHT.sunken },
  800: { lightness: 0.395, chroma: 0.72 },
  820: { lightness: 0.4, chroma: 0.47 },
  850: { lightness: 0.385, chroma: 0.53 },
  900: { lightness: 0.266, chroma: 0.36 },
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
export const writeBrandStyles = (accent: string): string =>
  `:root{${Object.entries(createBrandShades(accent))
    .map(([number, hex]) => `--brand-${number}:${hex}`)
    .join(';')}}`
