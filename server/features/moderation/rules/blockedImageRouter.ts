import { adminProcedure, rateLimited, router } from '#server/core/rpc/procedures.ts'
import { blockedImageForm, blockedImageParams, blockedImagesInput } from '#src/contract/blockedImageForms.ts'
import { addBlockedImage, listBlockedImages, removeBlockedImage } from './blockedImages.ts'

export const blockedImageRouter = router({
  list: adminProcedure.input(blockedImagesInput).query(({ ctx, input }) => listBlockedImages(ctx, input.before)),
  add: adminProcedure
    .input(blockedImageForm)
    .use(rateLimited('upload'))
    .mutation(({ ctx, input }) => addBlockedImage(ctx, input)),
  remove: adminProcedure.input(blockedImageParams).mutation(({ ctx, input }) => removeBlockedImage(ctx, input.id)),
})
