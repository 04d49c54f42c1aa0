import { z } from 'zod'
import type { TextKey } from '#src/i18n/types.ts'
import { editedVersion, pathNumber } from './fields.ts'
import { hasCredentials, isWebLink } from './links.ts'
import { refusal } from './refusal.ts'
import { multiLine, singleLine, text } from './text.ts'

/** The fields of the form in its order, with their maximum lengths in characters. Each has a column. */
export const programLimits = { name: 100, link: 2000, description: 1000, addedBy: 64, category: 40 } as const

/** Categories offered in the dialog. The API accepts others and gives them a default icon and colour. */
export const PROGRAM_CATEGORIES = [
  'Development',
  'Security',
  'System Tools',
  'Storage',
  'Communication',
  'Networking',
  'Media',
  'Productivity',
  'Other',
] as const
export type ProgramCategory = (typeof PROGRAM_CATEGORIES)[number]

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

export const programParams = z.object({ id: pathNumber })

export const programUpdate = programForm.extend({
  updatedAt: editedVersion(refusal('program.updatedAt')),
})
export type ProgramUpdate = z.infer<typeof programUpdate>
