import type { FastifyInstance, FastifyRequest } from 'fastify'
import { chooseEncoding, encode } from '#server/core/http/contentEncoding.ts'

const CALL = /^\/(?:api|trpc)\//
const JSON_TYPE = /^application\/json\b/
/** Smaller responses fit into one network packet anyway. */
const MIN_BYTES = 1024

/**
 * Compresses what everyone can read who knows its URL. The length of a compressed response can reveal a secret beside text
 * that an attacker chose (BREACH), so responses to writes and to callers with a token are not compressed.
 */
export function registerCompression(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    // A cached response has an ETag per encoding. Pages are compressed already.
    const isEncoded = reply.hasHeader('etag') || reply.hasHeader('content-encoding')
    if (!isPublicRead(request) || isEncoded) return payload
    const body = typeof payload === 'string' ? Buffer.from(payload) : payload
    const isJson = JSON_TYPE.test(String(reply.getHeader('content-type')))
    if (!Buffer.isBuffer(body) || body.length < MIN_BYTES || !isJson) return payload
    reply.header('vary', [reply.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', '))
    const encoding = chooseEncoding(request.headers['accept-encoding'])
    if (encoding === 'identity') return payload
    reply.removeHeader('content-length').header('content-encoding', encoding)
    return encode(body, encoding)
  })
}

const isPublicRead = ({ method, headers, url }: FastifyRequest): boolean =>
  method === 'GET' && headers.authorization === undefined && CALL.test(url)
