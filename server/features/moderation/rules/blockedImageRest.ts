import { createRestRoutes } from '#server/core/rpc/restRoute.ts'
import { blockedImagePageSchema } from '#src/contract/blockedImageAnswers.ts'
import { blockedImageRouter } from './blockedImageRouter.ts'

const IMAGES = '/api/moderation/blocked-images'

export const blockedImageRoutes = createRestRoutes(blockedImageRouter, [
  {
    method: 'GET',
    path: IMAGES,
    summary: 'Lists 50 blocked images, newest first',
    answer: blockedImagePageSchema,
    access: 'admin',
    call: (api, input) => api.list(input),
  },
  {
    method: 'POST',
    path: IMAGES,
    summary: 'Blocks an image, and stores only its hashes',
    answer: null,
    access: 'admin',
    call: (api, input) => api.add(input),
  },
  {
    method: 'DELETE',
    path: `${IMAGES}/:id`,
    summary: 'Unblocks an image',
    answer: null,
    access: 'admin',
    call: (api, input) => api.remove(input),
  },
])
