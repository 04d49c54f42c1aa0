import type { FastifyInstance } from 'fastify'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { languages } from '#src/contract/languages.ts'
import { refusal } from '#src/contract/refusal.ts'
import type { Site } from '#src/contract/site.ts'

const PATH = '/.well-known/security.txt'
/** RFC 9116 recommends less than a year, so that readers do not use an outdated contact. */
const VALID_MS = 180 * 24 * 60 * 60 * 1000

/** Serves the contact for security problems and abuse (RFC 9116). */
export function registerSecurityText(
  app: FastifyInstance,
  { config, now }: Pick<Services, 'config' | 'now'>,
  { abuseContact, language }: Pick<Site, 'abuseContact' | 'language'>,
): void {
  app.get(PATH, (_request, reply) => {
    const { siteUrl } = config
    if (abuseContact === null) throw errors.notFound(refusal('failure.notFound'))
    const expires = new Date(now().getTime() + VALID_MS).toISOString().replace(/\.\d+/, '')
    const lines = [
      `Contact: ${abuseContact}`,
      `Expires: ${expires}`,
      `Canonical: ${siteUrl}${PATH}`,
      `Preferred-Languages: ${language === 'auto' ? languages.join(', ') : language}`,
      '',
    ]
    return reply.header('cache-control', 'public, max-age=600').type('text/plain; charset=utf-8').send(lines.join('\n'))
  })
}
