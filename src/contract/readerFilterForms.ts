import { z } from 'zod'
import { readerFilterLimits, readerFilterMessages } from './readerFilters.ts'
import { singleLine } from './text.ts'

export const readerFilterForm = z.object({
  kind: z.enum(['name', 'words'], readerFilterMessages.kind),
  // Without a letter or digit, a filter of words would find nothing, and `*` would hide everything.
  value: singleLine(readerFilterMessages.value, 'The filter', readerFilterLimits.value).refine(
    (value) => /[\p{L}\p{N}]/u.test(value),
    readerFilterMessages.value,
  ),
  boardId: z
    .string(readerFilterMessages.board)
    .max(40, readerFilterMessages.board)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, readerFilterMessages.board)
    .nullable(),
})

/** Stored and exported filters. */
export const readerFilterFile = z.object(
  {
    hidden: z
      .array(z.int(readerFilterMessages.file).positive(readerFilterMessages.file), readerFilterMessages.file)
      .max(readerFilterLimits.hidden, readerFilterMessages.tooMany),
    filters: z
      .array(readerFilterForm, readerFilterMessages.file)
      .max(readerFilterLimits.filters, readerFilterMessages.tooMany),
  },
  readerFilterMessages.file,
)
