import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { matchesEtag } from '#server/core/cache/sendPage.ts'
import type { Services } from '#server/core/context.ts'
import { parseRange } from '#server/core/http/byteRange.ts'
import { isTakenDown } from '#server/core/moderation/tombstones.ts'
import { SANDBOX } from '#server/core/security/headers.ts'
import { fileExpiry, imageIdOf } from '#server/core/storage/imageFiles.ts'
import { imageMessages, imageTypeOf } from '#src/contract/image.ts'
import { reportMessages } from '#src/contract/reports.ts'

/** For images that do not expire: after a deletion, caches may keep the image for five minutes. */
const PERMANENT = 'public, max-age=300, must-revalidate'
/** For images that expire: browsers ask the server on every use, so that an expired image disappears immediately. */
const EXPIRING = 'private, no-cache'
const NOT_IN_FILE = 'The requested range is not in the file'
const JSON_TYPE = 'application/json; charset=utf-8'

type Request = FastifyRequest<{ Params: { filename: string } }>
type Files = Pick<Services, 'files' | 'now' | 'db' | 'secrets'>

export function registerUploads(app: FastifyInstance, services: Files): void {
  const sendFile = createFileSender(services)
  // Fastify's own HEAD route would send a content length of 0.
  app.route({
    method: ['GET', 'HEAD'],
    url: '/dtpchan/uploads/:filename',
    handler: (request: Request, reply) => sendFile(request, reply, request.params.filename),
  })
}

/** Returns a function that sends an uploaded image, sandboxed in case a browser misdetects the type. */
export function createFileSender({ files, now, db, secrets }: Files) {
  return async (request: FastifyRequest, reply: FastifyReply, filename: string) => {
    const type = imageTypeOf(filename)
    const expiry = fileExpiry(filename)
    const expired = expiry !== null && expiry <= now().getTime()
    const file = type && !expired ? await files.open(filename) : null
    reply.header('content-security-policy', SANDBOX)
    if (!file || !type) {
      const isGone = type !== undefined && !expired && (await isTakenDown({ db, secrets }, 'file', imageIdOf(filename)))
      return sendNotFound(reply, isGone ? 410 : 404)
    }
    // The name identifies the content, because file names are never reused.
    const etag = `"${filename}"`
    reply
      .header('etag', etag)
      .header('cache-control', expiry === null ? PERMANENT : EXPIRING)
      .header('accept-ranges', 'bytes')
    if (expiry !== null) reply.header('x-robots-tag', 'noindex')
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    reply.type(type).header('content-disposition', `inline; filename="${filename}"`)
    if (request.method === 'HEAD') return reply.header('content-length', file.size).send('')
    const { range: wanted, 'if-range': ifRange = etag } = request.headers
    const part = parseRange(file.size, ifRange === etag ? wanted : undefined)
    if (part.status === 416) {
      const head = { 'content-range': part.range, 'cache-control': 'no-store', 'content-type': JSON_TYPE }
      return reply.code(416).headers(head).send({ success: false, error: NOT_IN_FILE })
    }
    const content = await file.stream(
      part.status === 206 ? { start: part.start, end: part.start + part.length - 1 } : undefined,
    )
    if (!content) return sendNotFound(reply.removeHeader('etag').removeHeader('accept-ranges'))
    if (part.range !== null) reply.code(206).header('content-range', part.range)
    reply.header('content-length', part.length)
    return reply.send(content)
  }
}

const sendNotFound = (reply: FastifyReply, status: 404 | 410 = 404) =>
  reply
    .code(status)
    .headers({ 'cache-control': 'no-store', 'content-type': JSON_TYPE })
    .send({
      success: false,
      error: status === 410 ? reportMessages.takenDown : imageMessages.notFound,
    })
