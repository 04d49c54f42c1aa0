import { z } from 'zod'
import { SWITCHES } from './moderation.ts'

export const switchMessages = {
  name: 'There is no such switch',
  on: 'Say whether the switch is on: true or false',
} as const

export const switchInput = z.object({
  name: z.enum(SWITCHES, switchMessages.name),
  on: z.boolean(switchMessages.on),
})
