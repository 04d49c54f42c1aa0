import { createCallerFactory } from '#server/core/rpc/procedures.ts'
import { createRestRoutes } from '#server/core/rpc/restRoute.ts'
import { SHARE_CALL } from '#src/contract/image.ts'
import { imageRouter } from './router.ts'

const SHARE = `${SHARE_CALL}/:id` as const

export const imageRoutes = createRestRoutes(createCallerFactory(imageRouter), [
  {
    method: 'POST',
    path: SHARE_CALL,
    formPage: { path: '/image-sharing' },
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
  {
    method: 'POST',
    path: `${SHARE}/delete`,
    formPage: { path: ({ id }: { id: string }) => `/image-share/${encodeURIComponent(id)}/delete` },
    call: (api, input) => api.delete(input),
  },
])
