import { z } from 'zod'
import { DEFAULT_EXPIRY, EXPIRY_HOURS, expiryRequired } from './expiry.ts'
import { idempotencyKey } from './idempotency.ts'
import { UploadedFile } from './image.ts'
import { refusal } from './refusal.ts'

export const imageShareForm = z.object({
  image: z.instanceof(UploadedFile, { error: refusal('image.required') }),
  expiryHours: z.literal(EXPIRY_HOURS, { error: expiryRequired }).default(DEFAULT_EXPIRY),
  idempotencyKey,
})

/** Accepts any string: an invalid id gets the same 404 as an unknown id. */
const id = z.coerce.string<string | number>()
export const imageShareParams = z.object({ id })
export const deleteImageShareForm = z.object({
  id,
  token: z.string(refusal('image.wrongDeleteLink')),
})
