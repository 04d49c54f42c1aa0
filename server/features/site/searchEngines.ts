import type { FastifyInstance } from 'fastify'
import { sendCachedText } from '#server/core/cache/cachedText.ts'
import type { Services } from '#server/core/context.ts'
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
