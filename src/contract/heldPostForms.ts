import { z } from 'zod'
import { idField, reasonField } from './moderationForms.ts'
import { pathNumber } from './pathNumber.ts'
import { refusal } from './refusal.ts'
import { isStorable } from './storableText.ts'

export const heldPostInput = z.object({ postId: pathNumber })
export const heldImageInput = heldPostInput.extend({
  number: idField(refusal('moderation.heldImageNumber')).default(1).describe('which image of the post, from 1'),
})
export const refuseInput = heldPostInput.extend({ reason: reasonField })
export const refuseAllInput = z.object({
  heldFor: z
    .string(refusal('moderation.heldHeldFor'))
    .min(1, refusal('moderation.heldHeldFor'))
    .refine(isStorable, refusal('moderation.heldHeldFor')),
  reason: reasonField,
})
