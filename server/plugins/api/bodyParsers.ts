import { isUtf8 } from 'node:buffer'
import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import { errors, errorTexts } from '#server/core/errors.ts'

/** Parses multipart forms, and an empty JSON body as `{}`, as the documented captcha call sends it. */
export async function registerBodyParsers(app: FastifyInstance): Promise<void> {
  await app.register(multipart, { throwFileSizeLimit: false })
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    // Fastify would replace invalid UTF-8 silently.
    if (!isUtf8(body)) return done(errors.badRequest(errorTexts.badRequest))
    const text = body.toString()
    if (text.trim() === '') done(null, {})
    else parse(request, text, done)
  })
}
