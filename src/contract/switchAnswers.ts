import { z } from 'zod'
import { SWITCHES } from './moderationTerms.ts'

export const switchSchema = z
  .object({
    name: z.enum(SWITCHES),
    since: z.date().nullable().describe('since when the switch is on; null if it is off'),
    until: z.date().nullable().describe('when it turns itself off; null if it stays on'),
  })
  .meta({ id: 'Switch' })
/** A switch on the admin page. */
export type SwitchView = z.output<typeof switchSchema>
