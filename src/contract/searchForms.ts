import { z } from 'zod'
import { SEARCH_SORTS, searchLimits, searchMessages } from './search.ts'
import { countParts, parseSearchQuery } from './searchQuery.ts'
import { ILL_FORMED_TEXT, isStorable } from './storableText.ts'

/** An empty field of a form counts as missing. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())

/** A post number, if the sort is by date, or the newest post, the last hit and its rank. */
export const SEARCH_CURSOR = /^(\d{1,15})(?:-(\d{1,15})-(\d(?:\.\d{1,20})?(?:e-\d{1,3})?))?$/

const day = z.iso.date(searchMessages.date)

export const searchInput = z
  .object({
    q: z
      .string(searchMessages.empty)
      .refine(isStorable, { message: ILL_FORMED_TEXT, abort: true })
      .trim()
      .min(1, { message: searchMessages.empty, abort: true })
      .max(searchLimits.query, { message: searchMessages.tooLong, abort: true })
      .transform(parseSearchQuery)
      .refine((query) => countParts(query) > 0, { message: searchMessages.empty, abort: true })
      .refine((query) => countParts(query) <= searchLimits.parts, searchMessages.tooManyParts)
      .refine(({ terms, nicks }) => terms.length + nicks.length > 0, searchMessages.onlyExcluded),
    board: optional(z.string(searchMessages.board).max(100, searchMessages.board).refine(isStorable, ILL_FORMED_TEXT)),
    from: optional(day),
    to: optional(day),
    images: optional(z.boolean(searchMessages.images)),
    sort: optional(z.enum(SEARCH_SORTS, searchMessages.sort)),
    cursor: optional(z.string(searchMessages.cursor).regex(SEARCH_CURSOR, searchMessages.cursor)),
  })
  .refine(({ sort, cursor }) => !cursor || cursor.includes('-') === (sort !== 'date'), searchMessages.cursor)
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, searchMessages.order)
export type SearchInput = z.output<typeof searchInput>
