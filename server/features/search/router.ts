import { guestProcedure, router } from '#server/core/rpc/procedures.ts'
import { searchInput } from '#src/contract/searchForms.ts'
import { listSearchBoards, searchPosts } from './service.ts'

export const searchRouter = router({
  posts: guestProcedure.input(searchInput).query(({ ctx, input }) => ctx.readLarge(() => searchPosts(ctx, input))),
  boards: guestProcedure.query(({ ctx }) => listSearchBoards(ctx)),
})
