import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { DEFAULT_ACCENT, type Site } from '#src/contract/site.ts'
import { writeBrandStyles } from './brandStyles.ts'

const PATH = '/brand.css'
const CACHED = 'public, max-age=31536000, immutable'

/** Returns the URL of the style sheet with the site's colours; null if they are the default. */
export const brandStylesUrl = ({ accent }: Pick<Site, 'accent'>): string | null =>
  accent.toLowerCase() === DEFAULT_ACCENT
    ? null
    : `${PATH}?${createHash('sha256').update(writeBrandStyles(accent)).digest('base64url').slice(0, 10)}`

export function registerBrandStyles(app: FastifyInstance, site: Site): void {
  if (brandStylesUrl(site) === null) return
  const styles = writeBrandStyles(site.accent)
  app.get(PATH, (_request, reply) => reply.header('cache-control', CACHED).type('text/css; charset=utf-8').send(styles))
}
