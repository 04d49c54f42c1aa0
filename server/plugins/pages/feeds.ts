import type { FastifyInstance } from 'fastify'
import { sendCachedText } from '#server/core/cache/cachedText.ts'
import type { Services } from '#server/core/context.ts'
import { type Feed, lastUpdate, writeAtom, writeJsonFeed } from '#server/core/http/feed.ts'
import { READABLE } from '#server/core/security/headers.ts'
import { createBoardFeed, createThreadFeed } from '#server/features/board/read/feed.ts'
import { createNewsFeed } from '#server/features/news/service.ts'
import { createBlogFeed } from '#server/features/site/content/service.ts'
import { type FeedFormat, feedFormats, feedPath, feedTypes } from '#src/contract/feeds.ts'
import { pathNumber } from '#src/contract/fields.ts'
import { NEWS_PATH } from '#src/contract/news.ts'
import { BLOG_PATH } from '#src/contract/siteContent.ts'

type Params = { boardId: string; threadId: string }

const WRITERS: Record<FeedFormat, (feed: Feed) => string> = { atom: writeAtom, json: writeJsonFeed }

export function registerFeeds(app: FastifyInstance, services: Services): void {
  serve('/dtpchan/board/:boardId', ({ boardId }) => createBoardFeed(services, boardId))
  serve('/dtpchan/board/:boardId/thread/:threadId', ({ boardId, threadId }) =>
    createThreadFeed(services, boardId, pathNumber.parse(threadId)),
  )
  serve(NEWS_PATH, () => createNewsFeed(services))
  serve(BLOG_PATH, () => createBlogFeed(services))

  function serve(page: string, read: (params: Params) => Promise<Feed>): void {
    for (const format of feedFormats) {
      app.get<{ Params: Params }>(feedPath(page, format), (request, reply) =>
        sendCachedText(services, request, reply, async () =>
          textOf(await services.largeReads(request.ip, () => read(request.params)), format),
        ),
      )
    }
  }
}

const textOf = (feed: Feed, format: FeedFormat) => ({
  text: WRITERS[format](feed),
  // Some feed readers are pages.
  sharedHeaders: READABLE,
  headers: {
    'content-type': `${feedTypes[format]}; charset=utf-8`,
    // The date is only informational. A deletion does not change it, so If-Modified-Since is not supported.
    'last-modified': lastUpdate(feed).toUTCString(),
  },
})
