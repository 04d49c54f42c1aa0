import { z } from 'zod'
import { UploadedFile } from './image.ts'
import { idField, reasonField } from './moderationForms.ts'
import { pathNumber } from './pathNumber.ts'
import { refusal } from './refusal.ts'

export const blockedImageForm = z.object({
  image: z
    .instanceof(UploadedFile, { error: refusal('image.required') })
    .refine(({ truncated }) => !truncated, refusal('image.size')),
  reason: reasonField,
})
export const blockedImageParams = z.object({ id: pathNumber })
export const blockedImagesInput = z.object({ before: idField(refusal('moderation.blockedImageNumber')).optional() })
