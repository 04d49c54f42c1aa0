import { z } from 'zod'
import { guestProcedure, rateLimited, router } from '#server/core/rpc/procedures.ts'
import { documented } from '#server/core/rpc/restRoute.ts'
import { imageStorageUse } from '#server/core/storage/storageQuota.ts'
import { IDEMPOTENCY_HEADER } from '#src/contract/fields.ts'
import {
  createdImageShareSchema,
  deleteImageShareForm,
  imageShareForm,
  imageShareParams,
  imageShareSchema,
  SHARE_CALL,
  type UploadedFile,
} from '#src/contract/image.ts'
import { createImageShare, deleteImageShare, findDeletableImageShare, readImageShare } from './service.ts'
import { imageShareView } from './view.ts'

const SHARE = `${SHARE_CALL}/:id` as const
const TAKEN_DOWN = { 410: 'The image was taken down' }

export const imageRouter = router({
  create: documented(
    guestProcedure
      .input(imageShareForm)
      .use(rateLimited('upload', ({ image }: { image: UploadedFile }) => imageStorageUse([image])))
      .mutation(({ ctx, input }) => createImageShare(ctx, input)),
    {
      path: SHARE_CALL,
      summary: 'Shares an image until it expires. Browsers without script get the page of the form.',
      answer: createdImageShareSchema,
      formPage: { path: '/image-sharing' },
      keepsOtherFiles: true,
      headers: IDEMPOTENCY_HEADER,
      statuses: TAKEN_DOWN,
      limits: { rate: 'upload', storage: 'image' },
    },
  ),
  /** `now`: server time, used to show the remaining time. */
  share: documented(
    guestProcedure.input(imageShareParams).query(async ({ ctx, input }) => ({
      share: await readImageShare(ctx, input.id),
      now: ctx.now(),
    })),
    {
      path: SHARE,
      summary: 'Reads a shared image',
      answer: z.object({ imageShare: imageShareSchema }),
      statuses: TAKEN_DOWN,
      respond: ({ share }) => ({ imageShare: share }),
    },
  ),
  deletable: guestProcedure.input(deleteImageShareForm).query(async ({ ctx, input }) => ({
    share: imageShareView(await findDeletableImageShare(ctx, input)),
    now: ctx.now(),
  })),
  delete: documented(
    guestProcedure.input(deleteImageShareForm).mutation(({ ctx, input }) => deleteImageShare(ctx, input)),
    {
      path: `${SHARE}/delete`,
      summary: 'Deletes a shared image with the token of its delete link',
      statuses: TAKEN_DOWN,
      formPage: { path: ({ id }: { id: string }) => `/image-share/${encodeURIComponent(id)}/delete` },
    },
  ),
})
