import type { FastifyInstance } from 'fastify'
import { sendCachedText } from '#server/core/cache/cachedText.ts'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { languages } from '#src/contract/languages.ts'
import { refusal } from '#src/contract/refusal.ts'
import type { Site } from '#src/contract/site.ts'
import {
  createPartsReader,
  renderPageSitemap,
  renderSitemapIndex,
  renderThreadSitemap,
  threadSitemapPath,
  URLS_PER_FILE,
} from './sitemap.ts'

const XML = 'application/xml; charset=utf-8'
const CACHED = 'public, max-age=600'

/**
 * Allows pages with `noindex`: a crawler must read a page to find `noindex` and remove the page from its index. The
 * forms of reports and posts are disallowed, because every item links to them with another URL, and so are searches.
 */
const robotsText = (siteUrl: string): string =>
  [
    'User-agent: *',
    'Disallow: /api/',
    'Disallow: /trpc/',
    'Disallow: /report',
    'Disallow: /dtpchan/board/*/post',
    'Disallow: /search',
    '',
    `Sitemap: ${siteUrl}/sitemap.xml`,
    '',
  ].join('\n')

export function registerSearchEngineRoutes(
  app: FastifyInstance,
  services: Pick<Services, 'db' | 'config' | 'now' | 'cache' | 'costs' | 'secrets' | 'siteContent'>,
  urlsPerFile = URLS_PER_FILE,
): void {
  app.get('/robots.txt', (_request, reply) =>
    reply.header('cache-control', CACHED).type('text/plain; charset=utf-8').send(robotsText(services.config.siteUrl)),
  )
  const readParts = createPartsReader(services, urlsPerFile)
  serve('/sitemap.xml', () => renderSitemapIndex(services, readParts))
  serve('/sitemap-pages.xml', () => renderPageSitemap(services))
  serve(threadSitemapPath(':part(^[1-9]\\d{0,8}$)'), ({ part }) =>
    renderThreadSitemap(services, Number(part), urlsPerFile),
  )

  function serve(path: string, write: (params: { part: string }) => Promise<string>): void {
    app.get<{ Params: { part: string } }>(path, (request, reply) =>
      sendCachedText(services, request, reply, async () => ({
        headers: { 'content-type': XML },
        text: await write(request.params),
      })),
    )
  }
}

const PATH = '/.well-known/security.txt'
/** RFC 9116 recommends less than a year, so that readers do not use an outdated contact. */
const VALID_MS = 180 * 24 * 60 * 60 * 1000

/** Serves the contact for security problems and abuse (RFC 9116). */
export function registerSecurityText(
  app: FastifyInstance,
  { config, now }: Pick<Services, 'config' | 'now'>,
  { abuseContact, language }: Pick<Site, 'abuseContact' | 'language'>,
): void {
  app.get(PATH, (_request, reply) => {
    const { siteUrl } = config
    if (abuseContact === null) throw errors.notFound(refusal('failure.notFound'))
    const expires = new Date(now().getTime() + VALID_MS).toISOString().replace(/\.\d+/, '')
    const lines = [
      `Contact: ${abuseContact}`,
      `Expires: ${expires}`,
      `Canonical: ${siteUrl}${PATH}`,
      `Preferred-Languages: ${language === 'auto' ? languages.join(', ') : language}`,
      '',
    ]
    return reply.header('cache-control', 'public, max-age=600').type('text/plain; charset=utf-8').send(lines.join('\n'))
  })
}
