import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { matchesEtag } from '#server/core/cache/cachedPage.ts'
import type { Services } from '#server/core/context.ts'
import { parseRange } from '#server/core/http/byteRange.ts'
import { COST } from '#server/core/limits/requestCost.ts'
import { SANDBOX } from '#server/core/security/headers.ts'
import { fileExpiry, imageIdOf } from '#server/core/storage/imageFiles.ts'
import { isTakenDown } from '#server/features/moderation/reports/tombstones.ts'
import { imageTypeOf } from '#src/contract/image.ts'
import { refusal } from '#src/contract/refusal.ts'
import { refusalText } from '#src/i18n/refusalText.ts'

/** For images that do not expire: after a deletion, caches may keep the image for five minutes. */
const PERMANENT = 'public, max-age=300, must-revalidate'
/** For images that expire: browsers ask the server on every use, so that an expired image disappears immediately. */
const EXPIRING = 'private, no-cache'
const NOT_IN_FILE = 'The requested range is not in the file'
const JSON_TYPE = 'application/json; charset=utf-8'

type Request = FastifyRequest<{ Params: { filename: string } }>
type Files = Pick<Services, 'files' | 'now' | 'db' | 'secrets' | 'costs'>

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
export function createFileSender({ files, now, db, secrets, costs }: Files) {
  return async (request: FastifyRequest, reply: FastifyReply, filename: string) => {
    reply.header('content-security-policy', SANDBOX)
    const type = imageTypeOf(filename)
    const expiry = fileExpiry(filename)
    if (!type || (expiry !== null && expiry <= now().getTime())) return sendNotFound(reply)
    const sendMissing = async () => {
      costs.charge(request, COST.call)
      return sendNotFound(reply, (await isTakenDown({ db, secrets }, 'file', imageIdOf(filename))) ? 410 : 404)
    }
    // The name identifies the content, because file names are never reused.
    const etag = `"${filename}"`
    // Headers are set when the file is open: an error of the store must not be cached.
    const setHeaders = () => {
      reply
        .header('etag', etag)
        .header('cache-control', expiry === null ? PERMANENT : EXPIRING)
        .header('accept-ranges', 'bytes')
      if (expiry !== null) reply.header('x-robots-tag', 'noindex')
      // Feed readers show images of boards in their own pages. Shared images are for those who have their URL.
      else reply.header('cross-origin-resource-policy', 'cross-origin')
      return reply
    }
    const setTypedHeaders = (length: number) =>
      setHeaders()
        .type(type)
        .header('content-disposition', `inline; filename="${filename}"`)
        .header('content-length', length)
    const { range, 'if-range': ifRange = etag, 'if-none-match': known } = request.headers
    const wanted = ifRange === etag ? range : undefined
    const isUnchanged = matchesEtag(known, etag)
    // Most requests want the whole file. Reading it at once saves a call to a bucket.
    if (request.method === 'GET' && !isUnchanged && wanted === undefined) {
      const whole = await files.read(filename)
      return whole ? setTypedHeaders(whole.size).send(whole.content) : sendMissing()
    }
    const file = await files.open(filename)
    if (!file) return sendMissing()
    if (isUnchanged) return setHeaders().code(304).send()
    if (request.method === 'HEAD') return setTypedHeaders(file.size).send('')
    const part = parseRange(file.size, wanted)
    if (part.status === 416) {
      const head = { 'content-range': part.range, 'cache-control': 'no-store', 'content-type': JSON_TYPE }
      return setHeaders().code(416).headers(head).send({ success: false, error: NOT_IN_FILE })
    }
    const content = await file.stream(
      part.status === 206 ? { start: part.start, end: part.start + part.length - 1 } : undefined,
    )
    if (!content) return sendMissing()
    setTypedHeaders(part.length)
    if (part.range !== null) reply.code(206).header('content-range', part.range)
    return reply.send(content)
  }
}

const sendNotFound = (reply: FastifyReply, status: 404 | 410 = 404) =>
  reply
    .code(status)
    .headers({ 'cache-control': 'no-store', 'content-type': JSON_TYPE })
    .send({
      success: false,
      error: refusalText(status === 410 ? refusal('moderation.reportTakenDown') : refusal('image.notFound')),
    })
