import type { FastifyInstance, FastifyRequest } from 'fastify'
import { chooseEncoding, encode } from '#server/core/http/contentEncoding.ts'

const CALL = /^\/(?:api|trpc)\//
/** Calls whose URL or input grants access to a paste or a shared image. */
const CAPABILITY_CALL = /^\/api\/(?:paste|image-share)\/|^\/trpc\/[^?]*\b(?:paste|image)\./
const JSON_TYPE = /^application\/json\b/
/** Smaller responses fit into one network packet anyway. */
const MIN_BYTES = 1024

/**
 * Compresses what everyone can read. The length of a compressed response can reveal a secret beside text that an attacker
 * chose (BREACH), so responses to writes, to callers with a token and with pastes or shared images are not compressed.
 */
export function registerCompression(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    // A cached response has an ETag per encoding, and is compressed already.
    if (!isPublicRead(request) || reply.hasHeader('etag')) return payload
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
  method === 'GET' && headers.authorization === undefined && CALL.test(url) && !CAPABILITY_CALL.test(url)
