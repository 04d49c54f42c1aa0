import { moderatorProcedure, router } from '#server/core/rpc/procedures.ts'
import { heldImageInput, heldPostInput, refuseAllInput, refuseInput } from '#src/contract/heldPostForms.ts'
import { listHeldPosts } from './heldPostList.ts'
import { approveHeldPost, readHeldImage, refuseHeldPost, refuseHeldPosts } from './heldPosts.ts'

export const heldRouter = router({
  list: moderatorProcedure.query(({ ctx }) => ctx.readLarge(() => listHeldPosts(ctx, ctx.boards))),
  image: moderatorProcedure
    .input(heldImageInput)
    .query(({ ctx, input }) => ctx.readLarge(() => readHeldImage(ctx, input, ctx))),
  approve: moderatorProcedure
    .input(heldPostInput)
    .mutation(({ ctx, input }) => approveHeldPost(ctx, input.postId, ctx)),
  refuse: moderatorProcedure.input(refuseInput).mutation(({ ctx, input }) => refuseHeldPost(ctx, input, ctx)),
  refuseAll: moderatorProcedure.input(refuseAllInput).mutation(({ ctx, input }) => refuseHeldPosts(ctx, input, ctx)),
})
