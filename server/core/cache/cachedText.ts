import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '#server/core/context.ts'
import { AppError, publicError } from '#server/core/errors.ts'
import { hashVisitor } from '#server/core/http/visitors.ts'
import { COST } from '#server/core/limits/requestCost.ts'
import { createPage, type RenderedPage } from './cachedPage.ts'
import { findCacheablePage } from './pageKeys.ts'
import { sendCacheablePage } from './sendPage.ts'

type Text = { headers: Record<string, string>; text: string }

export async function sendCachedText(
  { cache, config, costs, secrets, now }: Pick<Services, 'cache' | 'config' | 'costs' | 'secrets' | 'now'>,
  request: FastifyRequest,
  reply: FastifyReply,
  write: () => Promise<Text>,
) {
  const cacheable = config.pageCache ? findCacheablePage(request.url) : null
  if (!cacheable || !cache.has(cacheable)) costs.charge(request, COST.render)
  const visitorHash = () => hashVisitor(request, secrets.visitors, now())
  const page = cacheable
    ? await cache.read(cacheable, visitorHash, () => render(write))
    : createPage(await render(write))
  if (page.outcome === 'cacheable') return sendCacheablePage(request, reply, page)
  return reply.code(page.status).headers(page.headers).send(page.body)
}

async function render(write: () => Promise<Text>): Promise<RenderedPage> {
  try {
    const { headers, text } = await write()
    return { outcome: 'cacheable', status: 200, headers, body: Buffer.from(text) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { status, message, gone } = publicError(error)
    const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
    const body = Buffer.from(JSON.stringify({ success: false, error: message }))
    // Feed readers unsubscribe after a 410, but not after a 404.
    return { outcome: 'uncacheable', status: gone ? 410 : status, headers, body }
  }
}
