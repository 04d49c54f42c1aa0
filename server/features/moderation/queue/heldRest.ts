import { z } from 'zod'
import { createRestRoutes } from '#server/core/rpc/restRoute.ts'
import { heldImageSchema, heldPostsSchema } from '#src/contract/heldPostAnswers.ts'
import { heldRouter } from './heldRouter.ts'

const HELD = '/api/moderation/held'

export const heldRoutes = createRestRoutes(heldRouter, [
  {
    method: 'GET',
    path: HELD,
    summary: 'Lists the first 20 posts that wait for a review',
    answer: heldPostsSchema,
    access: 'moderator',
    call: (api) => api.list(),
  },
  {
    method: 'GET',
    path: `${HELD}/:postId/image`,
    summary: 'Reads an image of a held post',
    answer: z.object({ image: heldImageSchema }),
    access: 'moderator',
    call: async (api, input) => ({ image: await api.image(input) }),
  },
  {
    method: 'POST',
    path: `${HELD}/:postId/approve`,
    summary: 'Publishes a held post',
    answer: null,
    access: 'moderator',
    statuses: { 409: 'The thread or comment of the post was deleted' },
    call: (api, input) => api.approve(input),
  },
  {
    method: 'POST',
    path: `${HELD}/refuse`,
    summary: 'Removes all posts that are held for the reason `heldFor`',
    answer: z.object({ count: z.int() }),
    access: 'moderator',
    call: (api, input) => api.refuseAll(input),
  },
  {
    method: 'POST',
    path: `${HELD}/:postId/refuse`,
    summary: 'Removes a held post. It can be restored like other removed posts.',
    answer: null,
    access: 'moderator',
    call: (api, input) => api.refuse(input),
  },
])
