import { z } from 'zod'
import { LOG_ROLES, MODERATION_ACTIONS } from './moderationTerms.ts'

export const banNoticeSchema = z
  .object({
    reason: z.string(),
    endsAt: z.date(),
    appealToken: z.string().nullable().describe('for one appeal; null if somebody has already appealed'),
  })
  .meta({ id: 'BanNotice', description: 'What a banned visitor reads' })
export type BanNotice = z.output<typeof banNoticeSchema>

export const logEntrySchema = z
  .object({
    id: z.int(),
    at: z.date(),
    action: z.enum(MODERATION_ACTIONS),
    role: z.enum(LOG_ROLES),
    boardId: z.string().nullable().describe('null for actions on the whole site'),
    reason: z.string(),
    count: z.int().describe('number of posts that the action changed'),
    isThread: z.boolean().describe('whether the action changed a whole thread'),
    isUndone: z.boolean(),
    canRestore: z.boolean().describe('whether the removed posts can still be restored'),
  })
  .meta({ id: 'LogEntry' })
/** An entry of the public log. It never contains a name, an address or removed content. */
export type LogEntryView = z.output<typeof logEntrySchema>

export const nextBeforeSchema = z.int().nullable().describe('`before` of the next page, or null on the last page')

export const logPageSchema = z.object({ entries: z.array(logEntrySchema), nextBefore: nextBeforeSchema })

export const actionResultSchema = z.object({
  logId: z.int().nullable().describe('null if nothing changed'),
  count: z.int(),
})
export type ActionResult = z.output<typeof actionResultSchema>

export const removePosterResultSchema = actionResultSchema.extend({
  banId: z.int().nullable().describe('null if nobody was banned'),
})
export type RemovePosterResult = z.output<typeof removePosterResultSchema>

export const restoreResultSchema = z.object({
  restored: z.int(),
  waiting: z.int().describe('posts whose thread or comment is still removed'),
  held: z.int().describe('restored posts that wait for a review again'),
})
export type RestoreResult = z.output<typeof restoreResultSchema>

export const labelSchema = z
  .string()
  .nullable()
  .describe('short name of the poster on this board; null if the site no longer knows where the post came from')

export const posterSchema = z.object({ label: labelSchema, posts: z.int() })
export type PosterView = z.output<typeof posterSchema>
