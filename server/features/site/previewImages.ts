import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { matchesEtag } from '#server/core/cache/cachedPage.ts'
import type { Services } from '#server/core/context.ts'
import { AppError } from '#server/core/errors.ts'
import { COST } from '#server/core/limits/requestCost.ts'
import type { BrandColours, Card } from '#server/core/media/previewCard.ts'
import { readPicture, readThreadCard } from '#server/features/board/read/singlePosts.ts'
import { pathNumber } from '#src/contract/fields.ts'
import type { Site } from '#src/contract/site.ts'
import { createBrandShades, hasName } from './brandStyles.ts'

/** Limits memory: about 300 images. */
const CACHE_BYTES = 16 * 1024 * 1024
/** As for the pictures of threads: after a deletion, caches may keep the image for five minutes. */
const CACHED = 'public, max-age=300, must-revalidate'

/** `picture` is the name of the thread's picture. The operator's images change with their hashes. */
type Drawing = { card: Card; picture: string | null; hashes: (string | undefined)[] }
type Subject = Pick<Drawing, 'picture'> & { card: Omit<Card, 'site'> }
type ThreadRequest = FastifyRequest<{ Params: { boardId: string; threadId: string } }>

/**
 * Serves the images of link previews: of the site, and of each thread. An image is drawn once per version of its
 * content. Every request looks the thread up, so the image of a removed thread is not served.
 */
export function registerPreviewImages(app: FastifyInstance, services: Services, { name, tagline, accent }: Site): void {
  const { costs, images, siteImages } = services
  const colours = createCardColours(accent)
  const drawn = new LRUCache<string, Buffer, Drawing>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (bytes) => bytes.length,
    fetchMethod: async (_key, _stale, { context: { card, picture } }) => {
      const { logo, background } = await readBrand()
      return images.card(card, {
        picture: picture === null ? null : await readPicture(services, picture),
        logo: logo?.card.bytes ?? null,
        background: background?.bytes ?? null,
      })
    },
  })

  /** Preview images are dark. */
  async function readBrand() {
    const { logo, darkLogo, background } = await siteImages()
    return { logo: logo && (darkLogo ?? logo), background }
  }

  app.get('/og.png', (request, reply) => send(request, reply, { card: { type: 'png' }, picture: null }))
  app.get('/dtpchan/board/:boardId/thread/:threadId/preview.jpg', async (request: ThreadRequest, reply) => {
    costs.charge(request, COST.call)
    const { boardId, threadId } = request.params
    const thread = await readThreadCard(services, boardId, pathNumber.parse(threadId)).catch((error) => {
      if (error instanceof AppError && error.gone) return error
      throw error
    })
    // Sites drop the preview of a deleted thread after a 410.
    if (thread instanceof AppError) return reply.code(410).send({ success: false, error: thread.message })
    const { title, board, picture } = thread
    return send(request, reply, { card: { type: 'jpeg', thread: { title, board } }, picture })
  })

  async function send(request: FastifyRequest, reply: FastifyReply, { card, picture }: Subject) {
    const { logo, background } = await readBrand()
    const site = {
      ...{ name, tagline, colours },
      logo: logo && { width: logo.card.width, height: logo.card.height, hasName: hasName(logo) },
      hasBackground: background !== null,
    }
    const drawing: Drawing = { card: { ...card, site }, picture, hashes: [logo?.hash, background?.hash] }
    const key = createHash('sha256').update(JSON.stringify(drawing)).digest('base64url').slice(0, 22)
    const etag = `"${key}"`
    const headers = { etag, 'cache-control': CACHED }
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).headers(headers).send()
    if (!drawn.has(key)) costs.charge(request, COST.card)
    const bytes = await drawn.fetch(key, { context: drawing })
    return reply.headers(headers).type(`image/${card.type}`).send(bytes)
  }
}

function createCardColours(accent: string): BrandColours {
  const { 400: text = accent, 820: past = accent } = createBrandShades(accent)
  return { accent, text, past }
}
