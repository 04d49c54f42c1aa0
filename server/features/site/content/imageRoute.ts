import { createReadStream } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { nullIfMissing } from '#db/fileSystem.server.ts'
import { matchesEtag } from '#server/core/cache/sendPage.ts'
import { SANDBOX } from '#server/core/security/headers.ts'
import { imageTypeOf } from '#src/contract/image.ts'
import { SITE_IMAGES_PATH } from '#src/contract/siteContent.ts'

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
