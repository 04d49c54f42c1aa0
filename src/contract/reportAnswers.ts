import { z } from 'zod'
import { postSchema } from './boardAnswers.ts'
import { imageShareSchema } from './imageAnswers.ts'
import { ITEM_KINDS, REPORT_REASONS } from './moderationTerms.ts'
import { pasteFlagsSchema } from './pasteAnswers.ts'
import { postContextSchema } from './postContextAnswers.ts'
import { programSchema } from './programAnswers.ts'

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
