import { z } from 'zod'
import { blockedImageMessages } from './blockedImages.ts'
import { imageMessages, UploadedFile } from './image.ts'
import { idField, reasonField } from './moderationForms.ts'
import { pathNumber } from './pathNumber.ts'

export const blockedImageForm = z.object({
  image: z
    .instanceof(UploadedFile, { error: imageMessages.required })
    .refine(({ truncated }) => !truncated, imageMessages.size),
  reason: reasonField,
})
export const blockedImageParams = z.object({ id: pathNumber })
export const blockedImagesInput = z.object({ before: idField(blockedImageMessages.number).optional() })
