import { adminProcedure, guestProcedure, router } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { articlePageSchema, articlesInput, feedTrial, latestInput } from '#src/contract/news.ts'
import { listFeeds, tryFeed } from './feeds.ts'
import { latestArticles, listArticles } from './service.ts'

export const newsRouter = router({
  list: documented(
    guestProcedure.input(articlesInput).query(({ ctx, input }) => listArticles(ctx, input)),
    {
      path: '/api/tech-articles',
      summary: 'Lists articles of the news feeds, newest first',
      answer: articlePageSchema,
    },
  ),
  latest: guestProcedure.input(latestInput).query(({ ctx, input }) => latestArticles(ctx, input.count)),
  feeds: adminProcedure.query(({ ctx }) => listFeeds(ctx)),
  tryFeed: adminProcedure.input(feedTrial).mutation(({ ctx, input }) => tryFeed(ctx, input.url)),
})
