import { z } from 'zod'
import { QUEUE_KINDS } from './queue.ts'
import { refusal } from './refusal.ts'

export const queueInput = z.object({
  /** lists only items of this kind */
  kind: z.enum(QUEUE_KINDS, refusal('moderation.queueKind')).optional(),
  /** lists the items after the one with this cursor */
  after: z
    .string(refusal('moderation.queueAfter'))
    .regex(/^[0-2]\.\d{1,14}\.(report|held|appeal)\.\d{1,15}$/, refusal('moderation.queueAfter'))
    .optional(),
})
