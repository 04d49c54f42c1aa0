import { z } from 'zod'
import { hasCredentials, isWebLink, linkMessages } from './links.ts'
import { programLimits, programMessages } from './program.ts'
import { multiLine, singleLine, text } from './text.ts'
import { editedVersion } from './version.ts'

const field = (label: string, max: number) => singleLine(programMessages.required, label, max)

export const programForm = z.object({
  name: field('Program name', programLimits.name),
  link: text(programMessages.required, 'Website link', programLimits.link)
    .refine(isWebLink, { message: programMessages.link, abort: true })
    .refine((link) => !hasCredentials(link), linkMessages.credentials),
  description: multiLine(programMessages.required, 'Description', programLimits.description),
  addedBy: field('Added by', programLimits.addedBy),
  category: field('Category', programLimits.category),
})
export type ProgramForm = z.infer<typeof programForm>

export const programParams = z.object({ id: z.coerce.string<string | number>() })

export const programUpdate = programForm.extend({
  updatedAt: editedVersion(programMessages.updatedAt),
})
export type ProgramUpdate = z.infer<typeof programUpdate>
