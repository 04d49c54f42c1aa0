import { articlesInput } from '#src/contract/newsForms.ts'
import { guestProcedure, router } from '../../trpc.ts'
import { listArticles } from './service.ts'

export const newsRouter = router({
  list: guestProcedure.input(articlesInput).query(({ ctx, input }) => listArticles(ctx, input)),
})
