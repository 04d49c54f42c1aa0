import { z } from 'zod'
import { heldPostMessages } from './heldPosts.ts'
import { idField, reasonField } from './moderationForms.ts'
import { pathNumber } from './pathNumber.ts'
import { isStorable } from './storableText.ts'

export const heldPostInput = z.object({ postId: pathNumber })
export const heldImageInput = heldPostInput.extend({
  number: idField(heldPostMessages.imageNumber).default(1).describe('which image of the post, from 1'),
})
export const refuseInput = heldPostInput.extend({ reason: reasonField })
export const refuseAllInput = z.object({
  heldFor: z
    .string(heldPostMessages.heldFor)
    .min(1, heldPostMessages.heldFor)
    .refine(isStorable, heldPostMessages.heldFor),
  reason: reasonField,
})
