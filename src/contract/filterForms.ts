import { z } from 'zod'
import { filterLimits } from './filters.ts'
import { FILTER_EFFECTS, FILTER_FIELDS, FILTER_KINDS } from './moderation.ts'
import { refusal } from './refusal.ts'
import { isStorable } from './storableText.ts'
import { singleLine } from './text.ts'

const subject = {
  kind: z.enum(FILTER_KINDS, refusal('moderation.filterKind')),
  value: singleLine(refusal('moderation.filterValue'), 'field.filter', filterLimits.value),
  fields: z
    .array(z.enum(FILTER_FIELDS, refusal('moderation.filterFields')), refusal('moderation.filterFields'))
    .min(1, refusal('moderation.filterFields'))
    .max(FILTER_FIELDS.length, refusal('moderation.filterFields'))
    .transform((fields) => FILTER_FIELDS.filter((field) => fields.includes(field))),
}

/** The fields of a filter that a dry run uses. */
export const filterSubject = z.object(subject)

export const filterForm = z.object({
  ...subject,
  effect: z.enum(FILTER_EFFECTS, refusal('moderation.filterEffect')),
  message: z
    .string(refusal('moderation.filterMessage'))
    .trim()
    .max(filterLimits.message, refusal('failure.tooLong', { label: 'field.message', max: filterLimits.message }))
    .refine((text) => isStorable(text) && !/\p{Cc}/u.test(text), refusal('moderation.filterMessage'))
    .default(''),
  enabled: z.boolean(refusal('moderation.filterEnabled')).default(true),
})

export const filterParams = z.object({ id: z.coerce.string<string | number>() })

export type FilterSubject = z.output<typeof filterSubject>
export type FilterForm = z.output<typeof filterForm>
