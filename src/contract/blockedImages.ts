import { z } from 'zod'
import { idField, nextBeforeSchema, pathNumber } from './fields.ts'
import { UploadedFile } from './image.ts'
import { reasonField } from './moderation.ts'
import { refusal } from './refusal.ts'

export const blockedImageLimits = { page: 50 }

export const blockedImageSchema = z
  .object({
    id: z.int(),
    reason: z.string(),
    createdAt: z.date(),
    hash: z.string().describe('SHA-256 of the stored original, hexadecimal'),
    blocksCopies: z.boolean().describe('whether similar images are recognized too; false for nearly flat images'),
    matches: z.int().describe('how many uploads were refused or held'),
    lastMatchAt: z.date().nullable(),
    isTakenDown: z.boolean().describe('whether a takedown blocked the image'),
  })
  .meta({ id: 'BlockedImage' })
/** A blocked image. The image itself is not stored. */
export type BlockedImageView = z.output<typeof blockedImageSchema>

export const blockedImagePageSchema = z.object({ images: z.array(blockedImageSchema), nextBefore: nextBeforeSchema })

export const blockedImageForm = z.object({
  image: z
    .instanceof(UploadedFile, { error: refusal('image.required') })
    .refine(({ truncated }) => !truncated, refusal('image.size')),
  reason: reasonField,
})
export const blockedImageParams = z.object({ id: pathNumber })
export const blockedImagesInput = z.object({ before: idField(refusal('moderation.blockedImageNumber')).optional() })
