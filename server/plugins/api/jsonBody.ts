import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { errors, errorTexts } from '#server/core/errors.ts'

/** Parses an empty JSON body as `{}`, as the documented captcha call sends it. */
export function registerJsonBody(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    // Fastify would replace invalid UTF-8 silently.
    if (!isUtf8(body)) return done(errors.badRequest(errorTexts.badRequest))
    const text = body.toString()
    if (text.trim() === '') done(null, {})
    else parse(request, text, done)
  })
}
