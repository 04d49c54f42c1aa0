import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { imageMessages } from '#src/contract/image.ts'
import type { Services } from '../core/context.ts'
import { fileExpiry } from '../core/uploads.ts'

/** A day, for what is deleted should not live on for long. */
const LASTING = 'public, max-age=86400, immutable'
/** Asked for anew each time, and answered with 304: gone from the moment it expires or is deleted. */
const EXPIRING = 'private, no-cache'
const NOT_IN_FILE = 'The requested range is not in the file'
const JSON_TYPE = 'application/json; charset=utf-8'
const TYPES: Record<string, string> = { jpg: 'image/jpeg', png: 'image/png', gif: 'image/gif', webp: 'image/webp' }

type Request = FastifyRequest<{ Params: { filename: string } }>

/** The pictures people uploaded, sandboxed, whatever a browser may take them for. */
export function registerUploads(app: FastifyInstance, { files, now }: Pick<Services, 'files' | 'now'>): void {
  // HEAD is a route of ours: the one the framework makes of a GET would tell a size of 0.
  app.route({ method: ['GET', 'HEAD'], url: '/dtpchan/uploads/:filename', handler })

  async function handler(request: Request, reply: FastifyReply) {
    const { filename } = request.params
    const type = TYPES[filename.split('.').at(-1) ?? '']
    const expiry = fileExpiry(filename)
    const expired = expiry !== null && expiry <= now().getTime()
    const file = type && !expired ? await files.open(filename) : null
    reply.header('content-security-policy', "default-src 'none'; sandbox").header('x-content-type-options', 'nosniff')
    if (!file || !type) return sendNotFound(reply)
    // A name never has two contents, so it is the tag.
    const etag = `"${filename}"`
    reply
      .header('etag', etag)
      .header('cache-control', expiry === null ? LASTING : EXPIRING)
      .header('accept-ranges', 'bytes')
    if (expiry !== null) reply.header('x-robots-tag', 'noindex')
    if (namesTag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    reply.type(type)
    if (request.method === 'HEAD') return reply.header('content-length', file.size).send('')
    const { range: wanted, 'if-range': ifRange = etag } = request.headers
    const range = parseRange(ifRange === etag ? wanted : undefined, file.size)
    if (range === 'unsatisfiable') {
      const head = { 'content-range': `bytes */${file.size}`, 'cache-control': 'no-store', 'content-type': JSON_TYPE }
      return reply.code(416).headers(head).send({ success: false, error: NOT_IN_FILE })
    }
    const content = await file.stream(range ?? undefined)
    if (!content) return sendNotFound(reply.removeHeader('etag').removeHeader('accept-ranges'))
    if (range) sendRange(reply, range, file.size)
    else reply.header('content-length', file.size)
    return reply.send(content)
  }
}

const sendNotFound = (reply: FastifyReply) =>
  reply.code(404).headers({ 'cache-control': 'no-store', 'content-type': JSON_TYPE }).send({
    success: false,
    error: imageMessages.notFound,
  })

/** Whether an If-None-Match header holds this tag; who stands between may have made it a weak one. */
const namesTag = (header: string | undefined, etag: string) =>
  (header ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*')

function sendRange(reply: FastifyReply, { start, end }: { start: number; end: number }, size: number): void {
  reply
    .code(206)
    .header('content-range', `bytes ${start}-${end}/${size}`)
    .header('content-length', end - start + 1)
}

/** One range of bytes, both ends included; null for none, and for forms that need no support (RFC 9110, 14.2). */
function parseRange(header: string | undefined, size: number): { start: number; end: number } | 'unsatisfiable' | null {
  const parts = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header ?? '')
  if (!parts || (!parts[1] && !parts[2])) return null
  const start = parts[1] ? Number(parts[1]) : Math.max(0, size - Number(parts[2]))
  const end = parts[1] && parts[2] ? Math.min(Number(parts[2]), size - 1) : size - 1
  if (start >= size || (parts[1] === '' && Number(parts[2]) === 0)) return 'unsatisfiable'
  return end < start ? null : { start, end }
}
