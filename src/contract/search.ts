import { z } from 'zod'
import { flag } from './fields.ts'
import { imageFileSchema } from './image.ts'
import { refusal } from './refusal.ts'
import { countParts, parseSearchQuery } from './searchQuery.ts'
import { isStorable } from './text.ts'

export const searchLimits = {
  /** characters of a query */
  query: 200,
  /** words and nicks of a query */
  parts: 16,
  hitsPerPage: 20,
  /** the newest matches that are ranked by relevance */
  ranked: 1000,
  /** characters of an excerpt */
  excerpt: 280,
} as const

const SEARCH_SORTS = ['relevance', 'date'] as const
export type SearchSort = (typeof SEARCH_SORTS)[number]

/** A board that a search can be limited to. */
export type SearchBoard = { id: string; name: string }

export const SEARCH_PATH = '/search'

export const SEARCH_FIELDS = ['q', 'board', 'from', 'to', 'images', 'sort'] as const
/** The fields of a search as its URL has them. Empty fields do not restrict the search. */
export type SearchFields = Record<(typeof SEARCH_FIELDS)[number], string>

/** @param cursor for a page that does not begin with the first hit */
export function searchPath(fields: Partial<SearchFields>, cursor?: string): string {
  const query = new URLSearchParams()
  for (const name of SEARCH_FIELDS) {
    const value = fields[name]
    if (value && !(name === 'sort' && value === 'relevance')) query.set(name, value)
  }
  if (cursor !== undefined) query.set('cursor', cursor)
  return query.size > 0 ? `${SEARCH_PATH}?${query}` : SEARCH_PATH
}

const searchHitSchema = z
  .object({
    boardId: z.string(),
    threadId: z.int(),
    postId: z.int(),
    title: z.string().describe('title of the thread'),
    author: z.string(),
    createdAt: z.date(),
    excerpt: z.string().describe('a part of the post in one line, around the first match; spoilers are hidden'),
    picture: imageFileSchema.nullable().describe('a small version of the image; null also for a spoiler'),
    spoiler: z.boolean().describe('the post has an image that is covered until the reader uncovers it'),
  })
  .meta({ id: 'SearchHit' })
/** A post that a search found. */
export type SearchHit = z.output<typeof searchHitSchema>

export const searchPageSchema = z.object({
  hits: z.array(searchHitSchema),
  nextCursor: z.string().nullable().describe('`cursor` of the next page, or null on the last page'),
  isComplete: z.boolean().describe('false if older posts may match that the search does not list'),
})
export type SearchPage = z.output<typeof searchPageSchema>

/** An empty field of a form counts as missing. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())

/**
 * A post number, if the sort is by date, or the newest post, the last hit and its rank. The text of a number has at most 22
 * digits after the point: 0.0000012345678901234567.
 */
export const SEARCH_CURSOR = /^(\d{1,15})(?:-(\d{1,15})-(\d(?:\.\d{1,22})?(?:e-\d{1,3})?))?$/

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
    images: optional(flag('images')),
    sort: optional(z.enum(SEARCH_SORTS, refusal('search.sort'))),
    cursor: optional(z.string(refusal('failure.cursor')).regex(SEARCH_CURSOR, refusal('failure.cursor'))),
  })
  .refine(({ sort, cursor }) => !cursor || cursor.includes('-') === (sort !== 'date'), refusal('failure.cursor'))
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, refusal('search.orderRefusal'))
export type SearchInput = z.output<typeof searchInput>
