import { z } from 'zod'
import { moderatorProcedure, router } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import {
  heldImageInput,
  heldImageSchema,
  heldPostInput,
  heldPostsSchema,
  refuseAllInput,
  refuseInput,
} from '#src/contract/heldPosts.ts'
import { listHeldPosts, readHeldImage } from './heldPostList.ts'
import { approveHeldPost, refuseHeldPost, refuseHeldPosts } from './heldPosts.ts'

const HELD = '/api/moderation/held'

export const heldRouter = router({
  list: documented(
    moderatorProcedure.query(({ ctx }) => ctx.readLarge(() => listHeldPosts(ctx, ctx.boards))),
    { method: 'GET', path: HELD, summary: 'Lists the first 20 posts that wait for a review', answer: heldPostsSchema },
  ),
  image: documented(
    moderatorProcedure
      .input(heldImageInput)
      .query(({ ctx, input }) => ctx.readLarge(() => readHeldImage(ctx, input, ctx))),
    {
      method: 'GET',
      path: `${HELD}/:postId/image`,
      summary: 'Reads an image of a held post',
      answer: z.object({ image: heldImageSchema }),
    },
  ),
  approve: documented(
    moderatorProcedure.input(heldPostInput).mutation(({ ctx, input }) => approveHeldPost(ctx, input.postId, ctx)),
    {
      method: 'POST',
      path: `${HELD}/:postId/approve`,
      summary: 'Publishes a held post',
      answer: null,
      statuses: { 409: 'The thread or comment of the post was deleted' },
    },
  ),
  refuse: documented(
    moderatorProcedure.input(refuseInput).mutation(({ ctx, input }) => refuseHeldPost(ctx, input, ctx)),
    {
      method: 'POST',
      path: `${HELD}/:postId/refuse`,
      summary: 'Removes a held post. It can be restored like other removed posts.',
      answer: null,
    },
  ),
  refuseAll: documented(
    moderatorProcedure.input(refuseAllInput).mutation(({ ctx, input }) => refuseHeldPosts(ctx, input, ctx)),
    {
      method: 'POST',
      path: `${HELD}/refuse`,
      summary: 'Removes all posts that are held for the reason `heldFor`',
      answer: z.object({ count: z.int() }),
    },
  ),
})
