import { z } from 'zod'

export const programSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    link: z.string(),
    description: z.string(),
    addedBy: z.string().describe('free text, not an account'),
    category: z.string(),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: 'Program' })
export type ProgramView = z.output<typeof programSchema>
