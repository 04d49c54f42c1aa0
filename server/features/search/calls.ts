import { guestProcedure, router } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { type SearchBoard, searchInput, searchPageSchema } from '#src/contract/search.ts'
import { searchPosts } from './service.ts'

export const searchRouter = router({
  posts: documented(
    guestProcedure.input(searchInput).query(({ ctx, input }) => ctx.readLarge(() => searchPosts(ctx, input))),
    {
      path: '/api/dtpchan/search',
      summary:
        'Finds published posts by words, `"phrases"`, `-excluded` words and `nick:name`, 20 per page. `from` and `to` are days such as 2026-01-31.',
      answer: searchPageSchema,
      statuses: { 404: 'There is no such board' },
    },
  ),
  /** the boards that a search can be limited to */
  boards: guestProcedure.query(
    async ({ ctx }): Promise<SearchBoard[]> => (await ctx.knownBoards()).map(({ id, name }) => ({ id, name })),
  ),
})
