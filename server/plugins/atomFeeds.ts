import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { NEWS_FEED_PATH } from '#src/contract/news.ts'
import { type AtomFeed, lastUpdate, writeAtom } from '../core/atom.ts'
import type { Services } from '../core/context.ts'
import { AppError } from '../core/errors.ts'
import { namesTag, tagOf } from '../core/etag.ts'
import { boardFeed, threadFeed } from '../features/board/atom.ts'
import { newsFeed } from '../features/news/atom.ts'

type Params = { boardId: string; threadId: string }

/** Feeds of the boards, of their threads and of the news, each below the page it follows. */
export function registerAtomFeeds(app: FastifyInstance, services: Services): void {
  serve('/dtpchan/board/:boardId/feed.atom', ({ boardId }) => boardFeed(services, boardId))
  serve('/dtpchan/board/:boardId/thread/:threadId/feed.atom', ({ boardId, threadId }) =>
    threadFeed(services, boardId, threadId),
  )
  serve(NEWS_FEED_PATH, () => newsFeed(services))

  function serve(path: string, read: (params: Params) => Promise<AtomFeed>): void {
    app.get<{ Params: Params }>(path, async (request, reply) => {
      try {
        return send(request, reply, await read(request.params))
      } catch (error) {
        if (!(error instanceof AppError) || !error.gone) throw error
        // A reader that asks every hour stops when it is told that there will be nothing any more.
        return reply.code(410).header('cache-control', 'no-store').send({ success: false, error: error.message })
      }
    })
  }
}

function send(request: FastifyRequest, reply: FastifyReply, feed: AtomFeed) {
  const body = writeAtom(feed)
  const etag = tagOf(body)
  // Asked for anew each time, as the page is: what was deleted is gone from here as well. The date is for the eye
  // alone, for a deletion leaves it as it was.
  reply.headers({ etag, 'cache-control': 'no-cache', 'last-modified': lastUpdate(feed).toUTCString() })
  if (namesTag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.type('application/atom+xml; charset=utf-8').send(body)
}
