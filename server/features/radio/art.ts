import { createHmac } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { createSemaphore } from '#server/core/limits/semaphore.ts'
import type { ImageProcessor } from '#server/core/media/imageProcessor.ts'
import { SANDBOX } from '#server/core/security/headers.ts'
import { openBytes, sealBytes } from '#server/core/security/seal.ts'
import { refusal } from '#src/contract/refusal.ts'
import { type ArtSize, type RadioSource, RadioUnavailable } from './types.ts'

/** Width and height in pixels. The sheet shows up to 240 CSS pixels, lock screens ask for 512, and the bar shows 48. */
const SIDES: Record<ArtSize, number> = { large: 512, small: 128 }
const MAX_IMAGE_BYTES = 16 * 1024 * 1024
const MAX_IMAGES = 200
const IV_BYTES = 12
const PURPOSE = Buffer.from('radio-art')
const RETRY_MS = 60_000

type Deps = {
  source: Pick<RadioSource, 'readArt'>
  images: Pick<ImageProcessor, 'thumbnail'>
  secret: Uint8Array
  now: () => Date
}

/**
 * Serves covers under paths that contain the source's reference, encrypted: any process can open the path that another
 * one has sent, and visitors cannot make paths themselves.
 */
export function createArt({ source, images, secret, now }: Deps) {
  const semaphore = createSemaphore({
    running: 2,
    waiting: 8,
    onFull: () => new RadioUnavailable('too many images at once'),
  })

  /** A cover that cannot be read has no sizes. */
  const thumbnails = new LRUCache<string, Partial<Record<ArtSize, Buffer>>, string>({
    max: MAX_IMAGES,
    maxSize: MAX_IMAGE_BYTES,
    sizeCalculation: ({ large, small }) => 1 + (large?.length ?? 0) + (small?.length ?? 0),
    ttlResolution: 0,
    perf: { now: () => now().getTime() },
    fetchMethod: (_key, _stale, { context: reference, options }) =>
      semaphore
        .run(async () => {
          const { bytes: large } = await images.thumbnail(await source.readArt(reference), SIDES.large)
          return { large, small: (await images.thumbnail(large, SIDES.small)).bytes }
        })
        .catch(() => {
          options.ttl = RETRY_MS
          return {}
        }),
  })

  return {
    path(reference: string | null): string | null {
      if (reference === null) return null
      // Depends on the reference alone, so that browsers find a cover in their cache.
      const iv = createHmac('sha256', secret).update(reference).digest().subarray(0, IV_BYTES)
      return `/api/radio/art/${sealBytes(secret, PURPOSE, Buffer.from(reference), iv).toString('base64url')}`
    },

    async read(key: string, size: ArtSize): Promise<{ bytes: Buffer; type: string } | null> {
      const sealed = Buffer.from(key, 'base64url')
      // Other spellings of a key would be stored again.
      const reference = sealed.toString('base64url') === key ? openBytes(secret, PURPOSE, sealed) : null
      if (!reference) return null
      const bytes = (await thumbnails.fetch(key, { context: reference.toString() }))?.[size]
      return bytes ? { bytes, type: 'image/webp' } : null
    },
  }
}

/** A path always refers to the same image, so browsers may cache it. */
const LASTING = 'public, max-age=86400, immutable'

export function registerRadioArt(app: FastifyInstance, { radio }: Pick<Services, 'radio'>): void {
  const paths = { large: '/api/radio/art/:key', small: '/api/radio/art/:key/small' }
  for (const size of ['large', 'small'] as const) {
    app.get<{ Params: { key: string } }>(paths[size], async (request, reply) => {
      const picture = await radio.art(request.params.key, size)
      if (!picture) throw errors.notFound(refusal('failure.notFound'))
      return reply
        .headers({ 'cache-control': LASTING, 'content-security-policy': SANDBOX })
        .type(picture.type)
        .send(picture.bytes)
    })
  }
}
