import { guestProcedure, rateLimited, router } from '#server/core/rpc/procedures.ts'
import { imageStorageUse } from '#server/core/storage/storageQuota.ts'
import type { UploadedFile } from '#src/contract/image.ts'
import { deleteImageShareForm, imageShareForm, imageShareParams } from '#src/contract/imageForms.ts'
import { createImageShare, deleteImageShare, findDeletableImageShare, readImageShare } from './service.ts'
import { imageShareView } from './view.ts'

export const imageRouter = router({
  create: guestProcedure
    .input(imageShareForm)
    .use(rateLimited('upload', ({ image }: { image: UploadedFile }) => imageStorageUse([image])))
    .mutation(({ ctx, input }) => createImageShare(ctx, input)),
  /** `now`: server time, used to show the remaining time. */
  share: guestProcedure.input(imageShareParams).query(async ({ ctx, input }) => ({
    share: await readImageShare(ctx, input.id),
    now: ctx.now(),
  })),
  deletable: guestProcedure.input(deleteImageShareForm).query(async ({ ctx, input }) => ({
    share: imageShareView(await findDeletableImageShare(ctx, input)),
    now: ctx.now(),
  })),
  delete: guestProcedure.input(deleteImageShareForm).mutation(({ ctx, input }) => deleteImageShare(ctx, input)),
})
