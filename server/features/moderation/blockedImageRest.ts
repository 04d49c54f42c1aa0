import { createCallerFactory } from '#server/core/rpc/procedures.ts'
import { createRestRoutes } from '#server/core/rpc/restRoute.ts'
import { blockedImageRouter } from './blockedImageRouter.ts'

const IMAGES = '/api/moderation/blocked-images'

export const blockedImageRoutes = createRestRoutes(createCallerFactory(blockedImageRouter), [
  { method: 'GET', path: IMAGES, call: (api, input) => api.list(input) },
  { method: 'POST', path: IMAGES, call: (api, input) => api.add(input) },
  { method: 'DELETE', path: `${IMAGES}/:id`, call: (api, input) => api.remove(input) },
])
