import { guestProcedure, router } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { searchInput, searchPageSchema } from '#src/contract/search.ts'
import { listSearchBoards, searchPosts } from './service.ts'

export const searchRouter = router({
  posts: documented(
    guestProcedure.input(searchInput).query(({ ctx, input }) => ctx.readLarge(() => searchPosts(ctx, input))),
    {
      method: 'GET',
      path: '/api/dtpchan/search',
      summary:
        'Finds published posts by words, `"phrases"`, `-excluded` words and `nick:name`, 20 per page. `from` and `to` are days such as 2026-01-31.',
      answer: searchPageSchema,
      statuses: { 404: 'There is no such board' },
    },
  ),
  boards: guestProcedure.query(({ ctx }) => listSearchBoards(ctx)),
})
