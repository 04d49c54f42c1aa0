import { createCallerFactory } from '#server/core/rpc/procedures.ts'
import { createRestRoutes } from '#server/core/rpc/restRoute.ts'
import { heldRouter } from './heldRouter.ts'

const HELD = '/api/moderation/held'

export const heldRoutes = createRestRoutes(createCallerFactory(heldRouter), [
  { method: 'GET', path: HELD, call: (api) => api.list() },
  { method: 'GET', path: `${HELD}/:postId/image`, call: async (api, input) => ({ image: await api.image(input) }) },
  { method: 'POST', path: `${HELD}/:postId/approve`, call: (api, input) => api.approve(input) },
  { method: 'POST', path: `${HELD}/refuse`, call: (api, input) => api.refuseAll(input) },
  { method: 'POST', path: `${HELD}/:postId/refuse`, call: (api, input) => api.refuse(input) },
])
