import type { FastifyInstance } from 'fastify'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { SANDBOX } from '#server/core/security/headers.ts'
import { refusal } from '#src/contract/refusal.ts'
import type { ArtSize } from './types.ts'

/** A path always refers to the same image, so browsers may cache it. */
const LASTING = 'public, max-age=86400, immutable'

export function registerRadioArt(app: FastifyInstance, { radio }: Pick<Services, 'radio'>): void {
  serve('/api/radio/art/:key', 'large')
  serve('/api/radio/art/:key/small', 'small')

  function serve(path: string, size: ArtSize): void {
    app.get<{ Params: { key: string } }>(path, async (request, reply) => {
      const picture = await radio.art(request.params.key, size)
      if (!picture) throw errors.notFound(refusal('failure.notFound'))
      return reply
        .headers({ 'cache-control': LASTING, 'content-security-policy': SANDBOX })
        .type(picture.type)
        .send(picture.bytes)
    })
  }
}
