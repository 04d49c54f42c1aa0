import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Services } from '#server/core/context.ts'
import { AppError, publicError } from '#server/core/errors.ts'
import { hashVisitor } from '#server/core/http/visitors.ts'
import { COST } from '#server/core/limits/requestCost.ts'
import { createPage, type RenderedPage, sendCacheablePage } from './cachedPage.ts'
import { findCacheablePage } from './pageKeys.ts'

type Text = {
  headers: Record<string, string>
  /** headers that a 304 has too */
  sharedHeaders?: Record<string, string>
  text: string
  /**
   * Sends Last-Modified. Not every event of the tags changes the text.
   */
  isDated?: boolean
}

export async function sendCachedText(
  { cache, config, costs, secrets, now }: Pick<Services, 'cache' | 'config' | 'costs' | 'secrets' | 'now'>,
  request: FastifyRequest,
  reply: FastifyReply,
  write: () => Promise<Text>,
) {
  const found = findCacheablePage(request.url)
  const cacheable = config.pageCache ? found : null
  if (!cacheable || cacheable.isAfterWrite || !cache.has(cacheable)) costs.charge(request, COST.render)
  const visitorHash = () => hashVisitor(request, secrets.visitors, now())
  const renderText = () => {
    const changedAt = cache.unchangedSince(found?.tags ?? [])
    return render(write, (text) => {
      const at = now().getTime()
      return readDates(found ? changeOf(cache, found.url, text, { changedAt, at }) : changedAt, at)
    })
  }
  const page = cacheable ? await cache.read(cacheable, visitorHash, renderText) : createPage(await renderText())
  if (page.outcome === 'cacheable') return sendCacheablePage(request, reply, page)
  return reply.code(page.status).headers(page.headers).send(page.body)
}

type Dates = { unchangedSince: number; lastModified: string }

/**
 * Last-Modified has whole seconds. A text that is rendered in the second of its last change can change again in that
 * second, so it gets the second before: its clients then get the next version.
 */
function readDates(changedAt: number, now: number): Dates {
  const unchangedSince = Math.floor(changedAt / 1000)
  const isOver = Math.floor(now / 1000) > unchangedSince
  return { unchangedSince, lastModified: new Date((isOver ? unchangedSince : unchangedSince - 1) * 1000).toUTCString() }
}

/** Digests of the texts that were last rendered, and when they changed. */
const rendered = new WeakMap<object, LRUCache<string, { digest: string; changedAt: number }>>()

/**
 * Returns when a text changed. It can change without an event of its tags: a link such as `>>>/tech/123` depends on a
 * post of another thread. So it changed now at the latest, and in a later second than the last one, because clients know
 * only the second.
 * @param times `changedAt`: the last event of the tags; `at`: the time of the render
 */
function changeOf(cache: object, url: string, text: string, times: { changedAt: number; at: number }): number {
  const known = rendered.get(cache) ?? new LRUCache({ max: 5000 })
  rendered.set(cache, known)
  const digest = createHash('sha256').update(text).digest('base64')
  const before = known.get(url)
  if (before?.digest === digest) return before.changedAt
  const next = before ? before.changedAt + 1000 : 0
  const isAfterEvent = Math.floor(times.changedAt / 1000) >= Math.floor(next / 1000)
  const changedAt = isAfterEvent ? times.changedAt : Math.max(times.at, next)
  known.set(url, { digest, changedAt })
  return changedAt
}

async function render(write: () => Promise<Text>, datesOf: (text: string) => Dates): Promise<RenderedPage> {
  try {
    const { headers, sharedHeaders, text, isDated } = await write()
    const dates = isDated ? datesOf(text) : undefined
    return {
      outcome: 'cacheable',
      status: 200,
      headers,
      body: Buffer.from(text),
      sharedHeaders: { ...sharedHeaders, ...(dates && { 'last-modified': dates.lastModified }) },
      ...(dates && { unchangedSince: dates.unchangedSince }),
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { status, message, gone } = publicError(error)
    const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
    const body = Buffer.from(JSON.stringify({ success: false, error: message }))
    // Feed readers unsubscribe after a 410, but not after a 404.
    return { outcome: 'uncacheable', status: gone ? 410 : status, headers, body }
  }
}
