import { z } from 'zod'
import { listedPostSchema } from './listedPostAnswers.ts'
import { FILTER_EFFECTS, FILTER_FIELDS, FILTER_KINDS } from './moderationTerms.ts'

export const filterSchema = z
  .object({
    id: z.int(),
    kind: z.enum(FILTER_KINDS),
    value: z.string(),
    fields: z.array(z.enum(FILTER_FIELDS)),
    effect: z.enum(FILTER_EFFECTS),
    message: z.string().describe('shown to a refused author; empty for the default text'),
    enabled: z.boolean(),
    createdAt: z.date(),
  })
  .meta({ id: 'Filter' })
export type FilterView = z.output<typeof filterSchema>

const filteredPostSchema = listedPostSchema
  .extend({ withheld: z.boolean().describe('true for a held or removed post') })
  .meta({ id: 'FilteredPost' })
/** A post that a filter would have caught. */
export type FilteredPost = z.output<typeof filteredPostSchema>

export const filterDryRunSchema = z.object({
  count: z.int().describe('posts of the last week that the filter would have caught'),
  posts: z.array(filteredPostSchema).describe('the newest 50 of them'),
  inLinks: z
    .int()
    .describe('posts that have the text only in links to posts or in URLs: the filter does not catch them'),
  linkPosts: z.array(filteredPostSchema).describe('the newest 50 of those'),
  checked: z.int().describe('posts that were checked'),
  complete: z.boolean().describe('false if the last week has more posts than one run may check'),
})
export type FilterDryRun = z.output<typeof filterDryRunSchema>
