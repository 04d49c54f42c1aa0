import { z } from 'zod'
import { SWITCHES } from './moderation.ts'

export const switchMessages = {
  name: 'There is no such switch',
  on: 'Say whether the switch is on: true or false',
} as const

export const switchInput = z.object({
  /** any text, because an unknown switch is answered with 404 */
  name: z.string(switchMessages.name).meta({ enum: [...SWITCHES] }),
  on: z.boolean(switchMessages.on),
})
