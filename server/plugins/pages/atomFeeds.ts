import type { FastifyInstance } from 'fastify'
import { sendCachedText } from '#server/core/cache/cachedText.ts'
import type { Services } from '#server/core/context.ts'
import { type AtomFeed, lastUpdate, writeAtom } from '#server/core/http/atomFeed.ts'
import { createBoardFeed, createThreadFeed } from '#server/features/board/atom.ts'
import { createNewsFeed } from '#server/features/news/atom.ts'
import { NEWS_FEED_PATH } from '#src/contract/news.ts'

type Params = { boardId: string; threadId: string }

export function registerAtomFeeds(app: FastifyInstance, services: Services): void {
  serve('/dtpchan/board/:boardId/feed.atom', ({ boardId }) => createBoardFeed(services, boardId))
  serve('/dtpchan/board/:boardId/thread/:threadId/feed.atom', ({ boardId, threadId }) =>
    createThreadFeed(services, boardId, threadId),
  )
  serve(NEWS_FEED_PATH, () => createNewsFeed(services))

  function serve(path: string, read: (params: Params) => Promise<AtomFeed>): void {
    app.get<{ Params: Params }>(path, (request, reply) =>
      sendCachedText(services, request, reply, async () =>
        textOf(await services.largeReads(request.ip, () => read(request.params))),
      ),
    )
  }
}

const textOf = (feed: AtomFeed) => ({
  text: writeAtom(feed),
  // The date is only informational. A deletion does not change it, so If-Modified-Since is not supported.
  headers: { 'content-type': 'application/atom+xml; charset=utf-8', 'last-modified': lastUpdate(feed).toUTCString() },
})
