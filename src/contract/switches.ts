import { z } from 'zod'
import { refusal } from './refusal.ts'

export const SWITCHES = [
  'text-only',
  'hold-posts',
  'proof-of-work',
  'members-threads',
  'uploads-off',
  'pastes-off',
  'read-only',
] as const
export type SiteSwitch = (typeof SWITCHES)[number]

export const switchSchema = z
  .object({
    name: z.enum(SWITCHES),
    since: z.date().nullable().describe('since when the switch is on; null if it is off'),
    until: z.date().nullable().describe('when it turns itself off; null if it stays on'),
  })
  .meta({ id: 'Switch' })
/** A switch on the admin page. */
export type SwitchView = z.output<typeof switchSchema>

export const switchInput = z.object({
  /** any text, because an unknown switch is answered with 404 */
  name: z.string(refusal('moderation.switchName')).meta({ enum: [...SWITCHES] }),
  on: z.boolean(refusal('moderation.switchOn')),
})
