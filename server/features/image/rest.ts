import { z } from 'zod'
import { createRestRoutes } from '#server/core/rpc/restRoute.ts'
import { IDEMPOTENCY_HEADER } from '#src/contract/idempotency.ts'
import { SHARE_CALL } from '#src/contract/image.ts'
import { createdImageShareSchema, imageShareSchema } from '#src/contract/imageAnswers.ts'
import { imageRouter } from './router.ts'

const SHARE = `${SHARE_CALL}/:id` as const
const TAKEN_DOWN = { 410: 'The image was taken down' }

export const imageRoutes = createRestRoutes(imageRouter, [
  {
    method: 'POST',
    path: SHARE_CALL,
    summary: 'Shares an image until it expires. Browsers without script get the page of the form.',
    answer: createdImageShareSchema,
    formPage: { path: '/image-sharing' },
    keepsOtherFiles: true,
    headers: IDEMPOTENCY_HEADER,
    statuses: TAKEN_DOWN,
    limits: { rate: 'upload', storage: 'image' },
    call: (api, input) => api.create(input),
  },
  {
    method: 'GET',
    path: SHARE,
    summary: 'Reads a shared image',
    answer: z.object({ imageShare: imageShareSchema }),
    statuses: TAKEN_DOWN,
    call: async (api, input) => ({ imageShare: (await api.share(input)).share }),
  },
  {
    method: 'POST',
    path: `${SHARE}/delete`,
    summary: 'Deletes a shared image with the token of its delete link',
    answer: null,
    statuses: TAKEN_DOWN,
    formPage: { path: ({ id }: { id: string }) => `/image-share/${encodeURIComponent(id)}/delete` },
    call: (api, input) => api.delete(input),
  },
])
