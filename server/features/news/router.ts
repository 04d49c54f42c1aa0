import { articlesInput, latestInput } from '#src/contract/newsForms.ts'
import { guestProcedure, router } from '../../trpc.ts'
import { latestArticles, listArticles } from './service.ts'

export const newsRouter = router({
  list: guestProcedure.input(articlesInput).query(({ ctx, input }) => listArticles(ctx, input)),
  latest: guestProcedure.input(latestInput).query(({ ctx, input }) => latestArticles(ctx, input.count)),
})
