import { z } from 'zod'
import { DEFAULT_EXPIRY, EXPIRY_HOURS, EXPIRY_REQUIRED } from './expiry.ts'
import { idempotencyKey } from './idempotency.ts'
import { imageMessages, UploadedFile } from './image.ts'

export const imageShareForm = z.object({
  image: z.instanceof(UploadedFile, { error: imageMessages.required }),
  expiryHours: z.literal(EXPIRY_HOURS, { error: EXPIRY_REQUIRED }).default(DEFAULT_EXPIRY),
  idempotencyKey,
})

/** Accepts any string: an invalid id gets the same 404 as an unknown id. */
const id = z.coerce.string<string | number>()
export const imageShareParams = z.object({ id })
export const deleteImageShareForm = z.object({
  id,
  token: z.string(imageMessages.wrongDeleteLink),
})
