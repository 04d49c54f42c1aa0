import { z } from 'zod'
import { QUEUE_KINDS, queueMessages } from './queue.ts'

export const queueInput = z.object({
  /** lists only items of this kind */
  kind: z.enum(QUEUE_KINDS, queueMessages.kind).optional(),
  /** lists the items after the one with this cursor */
  after: z
    .string(queueMessages.after)
    .regex(/^[0-2]\.\d{1,14}\.(report|held|appeal)\.\d{1,15}$/, queueMessages.after)
    .optional(),
})
