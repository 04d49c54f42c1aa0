import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import type { Services } from '#server/core/context.ts'
import { publicError } from '#server/core/errors.ts'
import { escapeXml } from '#server/core/http/escapeXml.ts'
import { liveSourceMessages } from '#src/contract/liveSources.ts'
import { logIn } from './login.ts'
import { createTitle, parseTitle } from './titles.ts'

type RouteServices = Pick<Services, 'liveHost' | 'db' | 'config' | 'secrets' | 'now'>

/** Limits the work for a query. */
const MAX_FIELDS = 20

/** Sets the title of a source, as Icecast's administration does. */
export function registerSourceMetadata(app: FastifyInstance, services: RouteServices): void {
  app.get('/admin/metadata', { exposeHeadRoute: false }, async (request, reply) => {
    reply.header('cache-control', 'no-store').type('text/xml; charset=utf-8')
    try {
      const { userId } = await logIn({ ...services, address: request.ip }, request.headers.authorization)
      const [, query = ''] = (request.raw.url ?? '').split('?')
      return describeResult(await setTitle(userId, readFields(query)))
    } catch (error) {
      const { status, message, retryAfter, isServerFault } = publicError(error)
      if (isServerFault) request.log.error({ err: error }, 'call failed')
      if (status === 401) reply.header('www-authenticate', 'Basic realm="live"')
      if (retryAfter) reply.header('retry-after', retryAfter)
      return reply.code(status).send(describeResult(message, false))
    }

    function describeResult(message: string, isOk = message === liveSourceMessages.titleSet): string {
      if (!isOk && reply.statusCode === 200) reply.code(400)
      return `<?xml version="1.0" encoding="UTF-8"?>\n<iceresponse><message>${escapeXml(message)}</message><return>${Number(isOk)}</return></iceresponse>\n`
    }
  })

  async function setTitle(userId: string, fields: Map<string, string>): Promise<string> {
    const song = fields.get('song')
    const title =
      song === undefined ? createTitle(fields.get('artist') ?? '', fields.get('title') ?? '') : parseTitle(song)
    if (fields.get('mode') !== 'updinfo' || !title) return liveSourceMessages.noTitle
    return (await services.liveHost.call('setTitle', userId, fields.get('mount') ?? '', title))
      ? liveSourceMessages.titleSet
      : liveSourceMessages.noSource
  }
}

/** Decodes a query as bytes. Text is in UTF-8 or in the given `charset`, often without saying so. */
function readFields(query: string): Map<string, string> {
  const pairs = query.split('&', MAX_FIELDS).map((pair) => {
    const [name = '', ...value] = pair.split('=')
    return [decodeBytes(name).toString(), decodeBytes(value.join('='))] as const
  })
  const charset = pairs.find(([name]) => name === 'charset')?.[1].toString()
  return new Map(pairs.map(([name, bytes]) => [name, decodeText(bytes, charset)]))
}

function decodeBytes(text: string): Buffer {
  const plain = text
    .replaceAll('+', ' ')
    .replace(/%([\da-f]{2})/gi, (_match, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(plain, 'latin1')
}

function decodeText(bytes: Buffer, charset: string | undefined): string {
  if (isUtf8(bytes)) return bytes.toString()
  try {
    return new TextDecoder(charset ?? 'latin1').decode(bytes)
  } catch {
    return bytes.toString('latin1')
  }
}
