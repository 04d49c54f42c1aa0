import type { FastifyInstance, FastifyReply } from 'fastify'
import { NEWS_FEED_PATH } from '#src/contract/news.ts'
import { type AtomFeed, lastUpdate, writeAtom } from '../core/atom.ts'
import type { Services } from '../core/context.ts'
import { AppError, publicError } from '../core/errors.ts'
import { type Rendered, unkept } from '../core/pageCache.ts'
import { markOf } from '../core/visitors.ts'
import { boardFeed, threadFeed } from '../features/board/atom.ts'
import { newsFeed } from '../features/news/atom.ts'
import { namePage } from '../pageNames.ts'
import { sendFinished } from './finishedPages.ts'

type Params = { boardId: string; threadId: string }

/** Feeds of the boards, of their threads and of the news, each below the page it follows and kept as pages are. */
export function registerAtomFeeds(app: FastifyInstance, services: Services): void {
  serve('/dtpchan/board/:boardId/feed.atom', ({ boardId }) => boardFeed(services, boardId))
  serve('/dtpchan/board/:boardId/thread/:threadId/feed.atom', ({ boardId, threadId }) =>
    threadFeed(services, boardId, threadId),
  )
  serve(NEWS_FEED_PATH, () => newsFeed(services))

  function serve(path: string, read: (params: Params) => Promise<AtomFeed>): void {
    app.get<{ Params: Params }>(path, async (request, reply) => {
      const { cache, config, secrets, now } = services
      const write = () => render(read(request.params))
      const named = config.pageCache ? namePage(request.url) : null
      const visitor = () => markOf(request, secrets.visitors, now())
      const page = named ? await cache.read(named.name, visitor, write) : unkept(await write())
      return page.outcome === 'finished' ? sendFinished(request, reply, page) : refuse(reply, page)
    })
  }
}

async function render(reading: Promise<AtomFeed>): Promise<Rendered> {
  try {
    const feed = await reading
    // The date is for the eye alone: a deletion leaves it as it was.
    const headers = {
      'content-type': 'application/atom+xml; charset=utf-8',
      'last-modified': lastUpdate(feed).toUTCString(),
    }
    return { outcome: 'finished', status: 200, headers, body: Buffer.from(writeAtom(feed)) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    // A reader that asks every hour stops when it is told that there will be nothing any more.
    const { status, message, gone } = publicError(error)
    const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
    const body = Buffer.from(JSON.stringify({ success: false, error: message }))
    return { outcome: 'passing', status: gone ? 410 : status, headers, body }
  }
}

const refuse = (reply: FastifyReply, { status, headers, body }: Rendered) =>
  reply.code(status).headers(headers).send(body)
