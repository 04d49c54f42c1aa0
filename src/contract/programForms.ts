import { z } from 'zod'
import type { TextKey } from '#src/i18n/types.ts'
import { hasCredentials, isWebLink } from './links.ts'
import { programLimits } from './program.ts'
import { refusal } from './refusal.ts'
import { multiLine, singleLine, text } from './text.ts'
import { editedVersion } from './version.ts'

const field = (label: TextKey, max: number) => singleLine(refusal('program.required'), label, max)

export const programForm = z.object({
  name: field('field.programName', programLimits.name),
  link: text(refusal('program.required'), 'field.websiteLink', programLimits.link)
    .refine(isWebLink, { message: refusal('program.linkRefusal'), abort: true })
    .refine((link) => !hasCredentials(link), refusal('board.linksCredentials')),
  description: multiLine(refusal('program.required'), 'field.description', programLimits.description),
  addedBy: field('field.addedBy', programLimits.addedBy),
  category: field('field.category', programLimits.category),
})
export type ProgramForm = z.infer<typeof programForm>

export const programParams = z.object({ id: z.coerce.string<string | number>() })

export const programUpdate = programForm.extend({
  updatedAt: editedVersion(refusal('program.updatedAt')),
})
export type ProgramUpdate = z.infer<typeof programUpdate>
