import { isUtf8 } from 'node:buffer'
import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import { errors } from '#server/core/errors.ts'
import { refusal } from '#src/contract/refusal.ts'

/** Parses multipart forms and JSON. Accepts an empty JSON body, because the documented captcha call sends one. */
export async function registerBodyParsers(app: FastifyInstance): Promise<void> {
  await app.register(multipart, { throwFileSizeLimit: false })
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    // Without this check, Fastify would silently replace invalid UTF-8.
    if (!isUtf8(body)) return done(errors.badRequest(refusal('failure.badRequest')))
    const text = body.toString()
    if (text.trim() === '') done(null, {})
    else parse(request, text, done)
  })
}
