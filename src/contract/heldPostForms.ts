import { z } from 'zod'
import { moderationMessages } from './moderation.ts'
import { idField, reasonField } from './moderationForms.ts'

export const heldPostInput = z.object({ postId: idField(moderationMessages.post) })
export const refuseInput = heldPostInput.extend({ reason: reasonField })
