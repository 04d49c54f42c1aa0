import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { matchesEtag } from '#server/core/cache/sendPage.ts'
import type { Services } from '#server/core/context.ts'
import { AppError } from '#server/core/errors.ts'
import { COST } from '#server/core/limits/requestCost.ts'
import type { BrandColours, Card } from '#server/core/media/previewCard.ts'
import { readPicture, readThreadCard } from '#server/features/board/threadCard.ts'
import type { Site } from '#src/contract/site.ts'
import { createBrandShades } from './brandStyles.ts'

/** Limits memory: about 300 images. */
const CACHE_BYTES = 16 * 1024 * 1024
/** As for the pictures of threads: after a deletion, caches may keep the image for five minutes. */
const CACHED = 'public, max-age=300, must-revalidate'

type Drawing = { card: Card; picture: string | null }
type ThreadRequest = FastifyRequest<{ Params: { boardId: string; threadId: string } }>

/**
 * Serves the images of link previews: of the site, and of each thread. An image is drawn once per version of its
 * content. Every request looks the thread up, so the image of a removed thread is not served.
 */
export function registerPreviewImages(app: FastifyInstance, services: Services, { name, tagline, accent }: Site): void {
  const { costs, images } = services
  const site = { name, tagline, colours: createCardColours(accent) }
  const drawn = new LRUCache<string, Buffer, Drawing>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (bytes) => bytes.length,
    fetchMethod: async (_key, _stale, { context: { card, picture } }) =>
      images.card(card, picture === null ? null : await readPicture(services, picture)),
  })

  app.get('/og.png', (request, reply) => send(request, reply, { card: { type: 'png', site }, picture: null }))
  app.get('/dtpchan/board/:boardId/thread/:threadId/preview.jpg', async (request: ThreadRequest, reply) => {
    costs.charge(request, COST.call)
    const { boardId, threadId } = request.params
    const thread = await readThreadCard(services, boardId, threadId).catch((error) => {
      if (error instanceof AppError && error.gone) return error
      throw error
    })
    // Sites drop the preview of a deleted thread after a 410.
    if (thread instanceof AppError) return reply.code(410).send({ success: false, error: thread.message })
    const { title, board, picture } = thread
    return send(request, reply, { card: { type: 'jpeg', site, thread: { title, board } }, picture })
  })

  async function send(request: FastifyRequest, reply: FastifyReply, drawing: Drawing) {
    const key = createHash('sha256').update(JSON.stringify(drawing)).digest('base64url').slice(0, 22)
    const etag = `"${key}"`
    const headers = { etag, 'cache-control': CACHED }
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).headers(headers).send()
    if (!drawn.has(key)) costs.charge(request, COST.card)
    const bytes = await drawn.fetch(key, { context: drawing })
    return reply.headers(headers).type(`image/${drawing.card.type}`).send(bytes)
  }
}

function createCardColours(accent: string): BrandColours {
  const { 400: text = accent, 820: past = accent } = createBrandShades(accent)
  return { accent, text, past }
}
