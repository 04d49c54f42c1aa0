import { z } from 'zod'
import { filterLimits, filterMessages } from './filters.ts'
import { FILTER_EFFECTS, FILTER_FIELDS, FILTER_KINDS } from './moderation.ts'
import { isStorable } from './storableText.ts'
import { singleLine } from './text.ts'

const subject = {
  kind: z.enum(FILTER_KINDS, filterMessages.kind),
  value: singleLine(filterMessages.value, 'The filter', filterLimits.value),
  fields: z
    .array(z.enum(FILTER_FIELDS, filterMessages.fields), filterMessages.fields)
    .min(1, filterMessages.fields)
    .max(FILTER_FIELDS.length, filterMessages.fields)
    .transform((fields) => FILTER_FIELDS.filter((field) => fields.includes(field))),
}

/** The fields of a filter that a dry run uses. */
export const filterSubject = z.object(subject)

export const filterForm = z.object({
  ...subject,
  effect: z.enum(FILTER_EFFECTS, filterMessages.effect),
  message: z
    .string(filterMessages.message)
    .trim()
    .max(filterLimits.message, `The message must be at most ${filterLimits.message} characters`)
    .refine((text) => isStorable(text) && !/\p{Cc}/u.test(text), filterMessages.message)
    .default(''),
  enabled: z.boolean(filterMessages.enabled).default(true),
})

export const filterParams = z.object({ id: z.coerce.string<string | number>() })

export type FilterSubject = z.output<typeof filterSubject>
export type FilterForm = z.output<typeof filterForm>
