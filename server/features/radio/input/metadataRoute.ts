import { isUtf8 } from 'node:buffer'
import { parse } from 'node:querystring'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '#server/core/context.ts'
import { publicError } from '#server/core/errors.ts'
import { escapeXml } from '#server/core/http/escapeXml.ts'
import { logIn } from './login.ts'
import { createTitle, isUnknown, parseTitle } from './titles.ts'

/** What Icecast answers. */
const TITLE_SET = 'Metadata update successful'

type RouteServices = Pick<Services, 'liveHost' | 'db' | 'config' | 'secrets' | 'now' | 'costs'>

const PATH = '/admin/metadata'
const FORM = 'application/x-www-form-urlencoded'
/** Limits the work for a query or a form. */
const MAX_FIELDS = 20
/** The HTTP server limits the head of a request, and so a query, to the same size. */
const MAX_FORM_BYTES = 16 * 1024

/** Sets the title of a source, as Icecast's administration does. libshout 2.4.6 sends a form, others a query. */
export function registerSourceMetadata(app: FastifyInstance, services: RouteServices): void {
  app.get(PATH, { exposeHeadRoute: false }, answer)
  // Use a separate scope, so that the parser of forms applies only to this route.
  app.register(async (scope) => {
    scope.addContentTypeParser(FORM, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.post(PATH, { bodyLimit: MAX_FORM_BYTES }, answer)
  })

  async function answer(request: FastifyRequest, reply: FastifyReply) {
    reply.header('cache-control', 'no-store').type('text/xml; charset=utf-8')
    try {
      const { userId } = await logIn(services, request)
      const problem = await setTitle(userId, readFields(encodedFieldsOf(request)))
      return reply.code(problem ? 400 : 200).send(toXml(problem ?? TITLE_SET, problem === null))
    } catch (error) {
      const { status, message, retryAfter, isServerFault } = publicError(error)
      if (isServerFault) request.log.error({ err: error }, 'call failed')
      if (status === 401) reply.header('www-authenticate', 'Basic realm="live"')
      if (retryAfter) reply.header('retry-after', retryAfter)
      return reply.code(status).send(toXml(message, false))
    }
  }

  /** @returns what is wrong; null if the program may go on */
  async function setTitle(userId: string, fields: Map<string, string>): Promise<string | null> {
    const song = fields.get('song')
    const title =
      song === undefined ? createTitle(fields.get('artist') ?? '', fields.get('title') ?? '') : parseTitle(song)
    const isNamed = fields.has('song') || fields.has('title')
    if (fields.get('mode') !== 'updinfo' || !isNamed) return 'Send mode=updinfo and a song or a title'
    if (title && isUnknown(title)) return null
    const isSet = await services.liveHost.call('setTitle', userId, fields.get('mount') ?? '', title)
    return isSet ? null : 'Source does not exist'
  }
}

const toXml = (message: string, isOk: boolean) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<iceresponse><message>${escapeXml(message)}</message><return>${Number(isOk)}</return></iceresponse>\n`

/** Returns the form or the query. A query can contain further question marks. */
function encodedFieldsOf({ body, raw: { url = '' } }: FastifyRequest): string {
  if (Buffer.isBuffer(body)) return body.toString('latin1')
  const mark = url.indexOf('?')
  return mark < 0 ? '' : url.slice(mark + 1)
}

/** Decodes fields. Text is in UTF-8 or in the given `charset`, often without saying so. */
function readFields(query: string): Map<string, string> {
  const fields = Object.entries(parse(query, '&', '=', { maxKeys: MAX_FIELDS, decodeURIComponent: decodeBytes }))
  const charset = String(fields.find(([name]) => name === 'charset')?.[1] ?? 'latin1')
  return new Map(fields.map(([name, value = '']) => [name, decodeText([value].flat().at(-1) ?? '', charset)]))
}

/** Returns a character for each byte. */
const decodeBytes = (text: string) =>
  text.replace(/%([\da-f]{2})/gi, (_match, hex) => String.fromCharCode(Number.parseInt(hex, 16)))

function decodeText(text: string, charset: string): string {
  const bytes = Buffer.from(text, 'latin1')
  if (isUtf8(bytes)) return bytes.toString()
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return text
  }
}
