import { createCallerFactory } from '#server/core/rpc/procedures.ts'
import { restRoutes } from '#server/core/rpc/restRoute.ts'
import { imageRouter } from './router.ts'

const SHARES = '/api/image-share'
const SHARE = `${SHARES}/:id` as const

export const imageRoutes = restRoutes(createCallerFactory(imageRouter), [
  {
    method: 'POST',
    path: SHARES,
    numbers: ['expiryHours'],
    keepsOtherFiles: true,
    counts: { limit: 'upload', stores: 'image' },
    call: (api, input) => api.create(input),
  },
  {
    method: 'GET',
    path: SHARE,
    call: async (api, input) => ({ imageShare: (await api.share(input)).share }),
  },
  { method: 'POST', path: `${SHARE}/delete`, call: (api, input) => api.delete(input) },
])
