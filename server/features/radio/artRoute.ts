import type { FastifyInstance } from 'fastify'
import type { Services } from '#server/core/context.ts'
import { errors, errorTexts } from '#server/core/errors.ts'
import { SANDBOX } from '#server/core/security/headers.ts'

/** A path always refers to the same image, so browsers may cache it. */
const LASTING = 'public, max-age=86400, immutable'

export function registerRadioArt(app: FastifyInstance, { radio }: Pick<Services, 'radio'>): void {
  app.get<{ Params: { key: string } }>('/api/radio/art/:key', async (request, reply) => {
    const picture = await radio.art(request.params.key)
    if (!picture) throw errors.notFound(errorTexts.notFound)
    return reply
      .headers({ 'cache-control': LASTING, 'content-security-policy': SANDBOX })
      .type(picture.type)
      .send(picture.bytes)
  })
}
