import { createCallerFactory } from '#server/core/rpc/procedures.ts'
import { createRestRoutes } from '#server/core/rpc/restRoute.ts'
import { imageRouter } from './router.ts'

const SHARES = '/api/image-share'
const SHARE = `${SHARES}/:id` as const

export const imageRoutes = createRestRoutes(createCallerFactory(imageRouter), [
  {
    method: 'POST',
    path: SHARES,
    numbers: ['expiryHours'],
    keepsOtherFiles: true,
    limits: { rate: 'upload', storage: 'image' },
    call: (api, input) => api.create(input),
  },
  {
    method: 'GET',
    path: SHARE,
    call: async (api, input) => ({ imageShare: (await api.share(input)).share }),
  },
  { method: 'POST', path: `${SHARE}/delete`, call: (api, input) => api.delete(input) },
])
