import { z } from 'zod'
import { flag, idField, nextBeforeSchema, pathNumber } from './fields.ts'
import { UploadedFile } from './image.ts'
import { listedPostSchema, reasonField } from './moderation.ts'
import { refusal } from './refusal.ts'
import { isStorable, singleLine, UNSAFE_IN_LINE } from './text.ts'

export const FILTER_KINDS = ['literal', 'pattern', 'domain'] as const
export type FilterKind = (typeof FILTER_KINDS)[number]

/** The fields that a filter checks: texts of posts (title and content), names of authors, contents of pastes. */
export const FILTER_FIELDS = ['post', 'name', 'paste'] as const
export type FilterField = (typeof FILTER_FIELDS)[number]

export const FILTER_EFFECTS = ['refuse', 'hold', 'replace'] as const
export type FilterEffect = (typeof FILTER_EFFECTS)[number]

export const filterLimits = {
  value: 200,
  message: 300,
  replacement: 200,
  filters: 500,
  /** compiled size of one pattern, in instructions: the time for a text grows with it */
  patternSize: 500,
  dryRunDays: 7,
  /** newest matches that a dry run lists; it counts all */
  dryRunPosts: 50,
} as const

export const filterSchema = z
  .object({
    id: z.int(),
    kind: z.enum(FILTER_KINDS),
    value: z.string(),
    fields: z.array(z.enum(FILTER_FIELDS)),
    effect: z.enum(FILTER_EFFECTS),
    message: z.string().describe('shown to a refused author; empty for the default text'),
    replacement: z.string().describe('takes the place of what a replacing filter finds'),
    enabled: z.boolean(),
    createdAt: z.date(),
  })
  .meta({ id: 'Filter' })
export type FilterView = z.output<typeof filterSchema>

const filteredPostSchema = listedPostSchema
  .extend({
    withheld: z.boolean().describe('true for a held or removed post'),
    after: z.string().optional().describe('`excerpt` with the replacement, of a filter that replaces'),
    authorAfter: z.string().optional().describe('the name with the replacement, if the filter changes it'),
  })
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

const effect = z.enum(FILTER_EFFECTS, refusal('moderation.filterEffect'))
/** Also checked in names, where it must not look like a code. */
const replacement = z
  .string(refusal('moderation.filterReplacement'))
  .trim()
  .max(
    filterLimits.replacement,
    refusal('failure.tooLong', { label: 'field.replacement', max: filterLimits.replacement }),
  )
  .refine((text) => isStorable(text) && !UNSAFE_IN_LINE.test(text), refusal('moderation.filterReplacement'))
  .default('')

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
export const filterSubject = z.object({ ...subject, effect: effect.default('refuse'), replacement })

export const filterForm = z
  .object({
    ...subject,
    effect,
    replacement,
    message: z
      .string(refusal('moderation.filterMessage'))
      .trim()
      .max(filterLimits.message, refusal('failure.tooLong', { label: 'field.message', max: filterLimits.message }))
      .refine((text) => isStorable(text) && !/\p{Cc}/u.test(text), refusal('moderation.filterMessage'))
      .default(''),
    enabled: flag('enabled').default(true),
  })
  .refine(
    ({ effect, replacement }) => effect !== 'replace' || replacement !== '',
    refusal('moderation.filterReplacement'),
  )
  // A paste is stored byte for byte, and a domain is a part of a URL.
  .refine(
    ({ effect, kind, fields }) => effect !== 'replace' || (kind !== 'domain' && !fields.includes('paste')),
    refusal('moderation.filterReplaces'),
  )

export const filterParams = z.object({ id: z.coerce.string<string | number>() })

export type FilterSubject = z.output<typeof filterSubject>
export type FilterForm = z.output<typeof filterForm>

export const blockedImageLimits = { page: 50 }

const blockedImageSchema = z
  .object({
    id: z.int(),
    reason: z.string(),
    createdAt: z.date(),
    hash: z.string().describe('SHA-256 of the stored original, hexadecimal'),
    blocksCopies: z.boolean().describe('whether similar images are recognized too; false for nearly flat images'),
    matches: z.int().describe('how many uploads were refused or held'),
    lastMatchAt: z.date().nullable(),
    isTakenDown: z.boolean().describe('whether a takedown blocked the image'),
  })
  .meta({ id: 'BlockedImage' })
/** A blocked image. The image itself is not stored. */
export type BlockedImageView = z.output<typeof blockedImageSchema>

export const blockedImagePageSchema = z.object({ images: z.array(blockedImageSchema), nextBefore: nextBeforeSchema })

export const blockedImageForm = z.object({
  image: z
    .instanceof(UploadedFile, { error: refusal('image.required') })
    .refine(({ truncated }) => !truncated, refusal('image.size')),
  reason: reasonField,
})
export const blockedImageParams = z.object({ id: pathNumber })
export const blockedImagesInput = z.object({ before: idField(refusal('moderation.blockedImageNumber')).optional() })
