import { z } from 'zod'
import { refusal } from './refusal.ts'
import { SEARCH_SORTS, searchLimits } from './search.ts'
import { countParts, parseSearchQuery } from './searchQuery.ts'
import { isStorable } from './storableText.ts'

/** An empty field of a form counts as missing. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())

/** A post number, if the sort is by date, or the newest post, the last hit and its rank. */
export const SEARCH_CURSOR = /^(\d{1,15})(?:-(\d{1,15})-(\d(?:\.\d{1,20})?(?:e-\d{1,3})?))?$/

const day = z.iso.date(refusal('search.date'))

export const searchInput = z
  .object({
    q: z
      .string(refusal('search.empty'))
      .refine(isStorable, { message: refusal('failure.unstorable'), abort: true })
      .trim()
      .min(1, { message: refusal('search.empty'), abort: true })
      .max(searchLimits.query, { message: refusal('search.tooLong', { max: searchLimits.query }), abort: true })
      .transform(parseSearchQuery)
      .refine((query) => countParts(query) > 0, { message: refusal('search.empty'), abort: true })
      .refine(
        (query) => countParts(query) <= searchLimits.parts,
        refusal('search.tooManyParts', { max: searchLimits.parts }),
      )
      .refine(({ terms, nicks }) => terms.length + nicks.length > 0, refusal('search.onlyExcluded')),
    board: optional(
      z
        .string(refusal('search.boardRefusal'))
        .max(100, refusal('search.boardRefusal'))
        .refine(isStorable, refusal('failure.unstorable')),
    ),
    from: optional(day),
    to: optional(day),
    images: optional(z.boolean(refusal('search.images'))),
    sort: optional(z.enum(SEARCH_SORTS, refusal('search.sort'))),
    cursor: optional(z.string(refusal('search.cursor')).regex(SEARCH_CURSOR, refusal('search.cursor'))),
  })
  .refine(({ sort, cursor }) => !cursor || cursor.includes('-') === (sort !== 'date'), refusal('search.cursor'))
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, refusal('search.orderRefusal'))
export type SearchInput = z.output<typeof searchInput>
