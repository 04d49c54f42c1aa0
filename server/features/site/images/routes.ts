import { createReadStream } from 'node:fs'
import { lstat, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { nullIfMissing } from '#db/fileSystem.server.ts'
import { matchesEtag } from '#server/core/cache/cachedPage.ts'
import type { Services } from '#server/core/context.ts'
import { SANDBOX } from '#server/core/security/headers.ts'
import { imageTypeOf } from '#src/contract/image.ts'
import { BANNER_PATH, BANNERS_PATH, LOGO_PATH, SITE_IMAGES_PATH } from '#src/contract/siteContent.ts'
import { bannerUrl, pickBanner } from './banners.ts'
import { versionOf } from './findFiles.ts'

/** The URL has a hash of the file. */
const LASTING = { 'cache-control': 'public, max-age=31536000, immutable', 'content-security-policy': SANDBOX }
const ICONS_CACHED = { 'cache-control': 'public, max-age=600' }
/** Browsers that apply the policy to an SVG would not show the picture in it. */
const ICON_POLICY = { 'content-security-policy': `img-src data:; ${SANDBOX}` }

type Named = FastifyRequest<{ Params: { name: string } }>

/** Serves the operator's logo and banners. */
export function registerSiteImageRoutes(app: FastifyInstance, { siteImages }: Pick<Services, 'siteImages'>): void {
  app.get(`${LOGO_PATH}/:name`, async (request: Named, reply) => {
    const { logo, darkLogo } = await siteImages()
    const found = [logo, darkLogo].find((image) => image && request.params.name === `${image.hash}.png`)
    if (!found) return reply.callNotFound()
    return reply.headers(LASTING).type('image/png').send(found.page.bytes)
  })

  app.get(`${BANNERS_PATH}/:name`, async (request: Named, reply) => {
    const url = `${BANNERS_PATH}/${request.params.name}`
    const banner = (await siteImages()).banners.find((banner) => bannerUrl(banner) === url)
    const stats = banner && (await stat(banner.file.path).catch(nullIfMissing))
    // A file that changed has not been checked yet.
    if (!stats || versionOf(stats) !== banner.file.version) return reply.callNotFound()
    return reply
      .headers({ ...LASTING, 'content-length': stats.size })
      .type(banner.type)
      .send(createReadStream(banner.file.path))
  })

  // The page is the same for everyone and cached, so a redirect chooses the banner.
  app.get(BANNER_PATH, async (request: FastifyRequest<{ Querystring: { board?: unknown } }>, reply) => {
    const banner = pickBanner(await siteImages(), String(request.query.board))
    return banner ? reply.header('cache-control', 'no-store').redirect(banner, 302) : reply.callNotFound()
  })
}

/** Returns a function that sends an icon of the operator's favicon, or null if the site has its own icons. */
export async function findSiteIcon({ siteImages }: Pick<Services, 'siteImages'>, name: string) {
  const { icons } = await siteImages()
  const bytes = icons?.files[name]
  if (!icons || !bytes) return null
  const etag = `"${icons.hash}"`
  return (request: FastifyRequest, reply: FastifyReply) => {
    const isLasting = request.url.endsWith(`?${icons.hash}`)
    reply.headers({ etag, ...LASTING, ...(isLasting ? {} : ICONS_CACHED), ...ICON_POLICY })
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return reply.type(TYPES[name.split('.').at(-1) ?? ''] ?? 'image/png').send(bytes)
  }
}

const TYPES: Record<string, string> = { ico: 'image/x-icon', svg: 'image/svg+xml', jpg: 'image/jpeg' }

const NAME = /^[\w-]+(?:\.[\w-]+)*$/

/** Serves the images of the operator's pages and posts. Other files could run in a browser. */
export function registerSiteImages(app: FastifyInstance, dir: string): void {
  app.get<{ Params: { name: string } }>(`${SITE_IMAGES_PATH}/:name`, async (request, reply) => {
    const { name } = request.params
    const type = NAME.test(name) ? imageTypeOf(name) : undefined
    const path = join(dir, 'images', name)
    const stats = type ? await lstat(path).catch(nullIfMissing) : null
    if (!type || !stats?.isFile()) return reply.callNotFound()
    const etag = `"${stats.size}-${stats.mtimeMs}"`
    reply.headers({ etag, 'cache-control': 'public, max-age=3600', 'content-security-policy': SANDBOX })
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return reply.type(type).header('content-length', stats.size).send(createReadStream(path))
  })
}
