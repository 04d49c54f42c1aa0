import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Services } from '#server/core/context.ts'
import { DEFAULT_ACCENT, type Site } from '#src/contract/site.ts'
import { writeBrandStyles } from './brandStyles.ts'
import { BANNER_STYLES } from './images/banners.ts'
import { writeLogoStyles } from './images/logoStyles.ts'
import type { SiteImages } from './images/siteImages.ts'

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
