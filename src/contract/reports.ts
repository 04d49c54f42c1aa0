import { z } from 'zod'
import type { TextKey } from '#src/i18n/types.ts'
import { captchaFields } from './captcha.ts'
import { pathNumber } from './fields.ts'
import { imageShareSchema } from './image.ts'
import { postContextSchema } from './moderation.ts'
import { pasteFlagsSchema } from './paste.ts'
import { postSchema } from './post.ts'
import { programSchema } from './program.ts'
import { type Refusal, refusal } from './refusal.ts'
import { multiLine, singleLine } from './text.ts'

/** Items that can be reported and taken down. */
export const ITEM_KINDS = ['post', 'paste', 'image', 'program'] as const
export type ItemKind = (typeof ITEM_KINDS)[number]

export const REPORT_REASONS = ['illegal', 'personal', 'spam', 'harassment', 'off-topic', 'other'] as const
export type ReportReason = (typeof REPORT_REASONS)[number]

export type ReportOutcome = 'deleted' | 'taken-down' | 'dismissed'

export const reportLimits = { url: 2000, text: 2000, reason: 200 } as const

/** Decisions of moderators on a reported item. */
const REPORT_ACTIONS = ['dismiss', 'delete', 'take-down'] as const
export type ReportAction = (typeof REPORT_ACTIONS)[number]

export const REPORT_PATH = '/report'
/** The documented call. The form of the report page sends to it. */
export const REPORT_CALL = '/api/moderation/reports'

/** A query may contain slashes. */
export const reportUrl = (url: string) => `${REPORT_PATH}?url=${encodeURIComponent(url).replaceAll('%2F', '/')}`

const reportedContentSchema = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('post'),
      boardId: z.string(),
      threadId: z.int(),
      title: z.string().nullable().describe('null if the thread was deleted'),
      post: postSchema,
      context: postContextSchema.nullable(),
      isRemoved: z.boolean().describe('the post was removed, but can still be restored or taken down'),
    }),
    z.object({
      kind: z.literal('paste'),
      text: z.string().nullable().describe('the start of the text; null if the paste was encrypted in a browser'),
      isTruncated: z.boolean(),
      bytes: z.int(),
      flags: pasteFlagsSchema,
      createdAt: z.date(),
      expiresAt: z.date(),
    }),
    z.object({ kind: z.literal('image'), share: imageShareSchema }),
    z.object({ kind: z.literal('program'), program: programSchema }),
  ])
  .nullable()
/** The reported item as it is now; null if it does not exist any more. */
export type ReportedContent = z.output<typeof reportedContentSchema>

export const reportedItemSchema = z
  .object({
    kind: z.enum(ITEM_KINDS),
    reportId: z.int().describe('the oldest open report of the item; names the item when a moderator closes it'),
    boardId: z.string().nullable(),
    label: z
      .string()
      .nullable()
      .describe('short name of the poster; null if the site does not know where the item came from'),
    path: z.string().nullable().describe('path of the item on this site; null if unknown'),
    count: z.int().describe('number of open reports'),
    reports: z
      .array(z.object({ id: z.int(), reason: z.enum(REPORT_REASONS), text: z.string(), createdAt: z.date() }))
      .describe('the oldest open reports, at most ten'),
    content: reportedContentSchema.describe('the reported item as it is now; null if it does not exist any more'),
  })
  .meta({ id: 'ReportedItem' })
export type ReportedItem = z.output<typeof reportedItemSchema>

const isBlank = (value: unknown) => value === undefined || (typeof value === 'string' && value.trim() === '')

const optionalText = (message: Refusal, label: TextKey, max: number) =>
  z.preprocess((value) => (isBlank(value) ? undefined : value), multiLine(message, label, max).optional())

const url = singleLine(refusal('moderation.reportUrlRefusal'), 'field.url', reportLimits.url)

export const reportForm = z.object({
  url,
  /** number of a post in the thread that `url` names */
  post: z.preprocess(
    (value) => (isBlank(value) ? undefined : value),
    z.coerce
      .string()
      .trim()
      .regex(/^[1-9]\d{0,14}$/, refusal('moderation.reportPostNumber'))
      .optional(),
  ),
  reason: z.enum(REPORT_REASONS, refusal('moderation.chooseReason')),
  text: optionalText(refusal('moderation.reportText'), 'field.text', reportLimits.text),
  ...captchaFields,
})
export type ReportForm = z.output<typeof reportForm>

const reason = optionalText(refusal('moderation.reportText'), 'field.reason', reportLimits.reason)

export const takedownForm = z.object({ url, reason })

export const resolveForm = z.object({
  reportId: pathNumber,
  action: z.enum(REPORT_ACTIONS, refusal('moderation.action')),
  reason,
})
