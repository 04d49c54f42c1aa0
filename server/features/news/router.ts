import { guestProcedure, router } from '#server/core/rpc/procedures.ts'
import { articlesInput, latestInput } from '#src/contract/newsForms.ts'
import { latestArticles, listArticles } from './service.ts'

export const newsRouter = router({
  list: guestProcedure.input(articlesInput).query(({ ctx, input }) => listArticles(ctx, input)),
  latest: guestProcedure.input(latestInput).query(({ ctx, input }) => latestArticles(ctx, input.count)),
})
