import { adminProcedure, rateLimited, router } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import {
  blockedImageForm,
  blockedImagePageSchema,
  blockedImageParams,
  blockedImagesInput,
} from '#src/contract/blockedImages.ts'
import { addBlockedImage, listBlockedImages, removeBlockedImage } from './blockedImages.ts'

const IMAGES = '/api/moderation/blocked-images'

export const blockedImageRouter = router({
  list: documented(
    adminProcedure.input(blockedImagesInput).query(({ ctx, input }) => listBlockedImages(ctx, input.before)),
    {
      method: 'GET',
      path: IMAGES,
      summary: 'Lists 50 blocked images, newest first',
      answer: blockedImagePageSchema,
    },
  ),
  add: documented(
    adminProcedure
      .input(blockedImageForm)
      .use(rateLimited('upload'))
      .mutation(({ ctx, input }) => addBlockedImage(ctx, input)),
    {
      method: 'POST',
      path: IMAGES,
      summary: 'Blocks an image, and stores only its hashes',
      answer: null,
    },
  ),
  remove: documented(
    adminProcedure.input(blockedImageParams).mutation(({ ctx, input }) => removeBlockedImage(ctx, input.id)),
    {
      method: 'DELETE',
      path: `${IMAGES}/:id`,
      summary: 'Unblocks an image',
      answer: null,
    },
  ),
})
