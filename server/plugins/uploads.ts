import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Services } from '../core/context.ts'

const NOT_FOUND = 'Image not found or expired'
const TYPES: Record<string, string> = { jpg: 'image/jpeg', png: 'image/png', gif: 'image/gif', webp: 'image/webp' }

/** The pictures people uploaded, sandboxed, whatever a browser may take them for. */
export function registerUploads(app: FastifyInstance, { files }: Pick<Services, 'files'>): void {
  app.get<{ Params: { filename: string } }>('/dtpchan/uploads/:filename', async (request, reply) => {
    const { filename } = request.params
    const type = TYPES[filename.split('.').at(-1) ?? '']
    const file = type ? await files.open(filename) : null
    reply.header('content-security-policy', "default-src 'none'; sandbox").header('x-content-type-options', 'nosniff')
    if (!file || !type) {
      return reply.code(404).header('cache-control', 'no-store').send({ success: false, error: NOT_FOUND })
    }
    // A name never has two contents, so it is the tag; a day, for what is deleted should not live on for long.
    const etag = `"${filename}"`
    reply
      .header('etag', etag)
      .header('cache-control', 'public, max-age=86400, immutable')
      .header('accept-ranges', 'bytes')
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    reply.type(type)
    const range = parseRange(request.headers.range, file.size)
    if (range === 'unsatisfiable') {
      return reply.code(416).header('content-range', `bytes */${file.size}`).send()
    }
    if (range) sendRange(reply, range, file.size)
    else reply.header('content-length', file.size)
    return reply.send(request.method === 'HEAD' ? '' : file.stream(range ?? undefined))
  })
}

function sendRange(reply: FastifyReply, { start, end }: { start: number; end: number }, size: number): void {
  reply
    .code(206)
    .header('content-range', `bytes ${start}-${end}/${size}`)
    .header('content-length', end - start + 1)
}

/** One range of bytes, both ends included; null for none, and for forms that need no support (RFC 9110, 14.2). */
function parseRange(header: string | undefined, size: number): { start: number; end: number } | 'unsatisfiable' | null {
  const parts = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '')
  if (!parts || (!parts[1] && !parts[2])) return null
  const start = parts[1] ? Number(parts[1]) : Math.max(0, size - Number(parts[2]))
  const end = parts[1] && parts[2] ? Math.min(Number(parts[2]), size - 1) : size - 1
  if (start >= size || (parts[1] === '' && Number(parts[2]) === 0)) return 'unsatisfiable'
  return end < start ? null : { start, end }
}
