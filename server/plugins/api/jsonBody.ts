import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { errors, errorTexts } from '#server/core/errors.ts'

/** An empty body with a JSON content type is `{}`: the documented captcha call sends just that. */
export function registerEmptyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    // Read as text by the framework, what is no UTF-8 would be replaced without a word.
    if (!isUtf8(body)) return done(errors.badRequest(errorTexts.badRequest))
    const text = body.toString()
    if (text.trim() === '') done(null, {})
    else parse(request, text, done)
  })
}
