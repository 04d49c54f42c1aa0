import { z } from 'zod'
import { SWITCHES } from './moderation.ts'
import { refusal } from './refusal.ts'

export const switchInput = z.object({
  /** any text, because an unknown switch is answered with 404 */
  name: z.string(refusal('moderation.switchName')).meta({ enum: [...SWITCHES] }),
  on: z.boolean(refusal('moderation.switchOn')),
})
