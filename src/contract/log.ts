import { z } from 'zod'
import { idField, nextBeforeSchema } from './fields.ts'
import { POST_ACTIONS } from './moderation.ts'
import { refusal } from './refusal.ts'
import { isStorable } from './text.ts'

/** Actors as the public log names them. */
export const LOG_ROLES = ['admin', 'moderator', 'author', 'site'] as const
export type LogRole = (typeof LOG_ROLES)[number]

export const MODERATION_ACTIONS = [
  ...POST_ACTIONS,
  'delete-by-poster',
  'ban',
  'lift-ban',
  'restore',
  'takedown',
  'approve',
  'refuse',
  'switch-on',
  'switch-off',
] as const
export type ModerationAction = (typeof MODERATION_ACTIONS)[number]

/**
 * Why the site itself changes posts: `raid` holds the recent ones when a raid starts, `gone` removes those that the old
 * site of an import has deleted. Pages show a text for each.
 */
export type SiteReason = 'raid' | 'gone'

/** Parses `before` of the log's URL. All entries of that page have lower ids. */
export const parseBefore = (text: string | undefined): number | undefined =>
  text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined

const logEntrySchema = z
  .object({
    id: z.int(),
    at: z.date(),
    action: z.enum(MODERATION_ACTIONS),
    role: z.enum(LOG_ROLES),
    boardId: z.string().nullable().describe('null for actions on the whole site'),
    reason: z
      .string()
      .describe(
        'what the moderator wrote. From the site: empty, `raid` for posts of a raid, `gone` for posts deleted on the old site',
      ),
    count: z.int().describe('number of posts that the action changed'),
    isThread: z.boolean().describe('whether the action changed a whole thread'),
    isUndone: z.boolean(),
    canRestore: z.boolean().describe('whether the removed posts can still be restored'),
    restoreBoards: z
      .array(z.string())
      .optional()
      .describe('boards that the removed posts are on now; missing if no thread has left the board'),
  })
  .meta({ id: 'LogEntry' })
/** An entry of the public log. It never contains a name, an address or removed content. */
export type LogEntryView = z.output<typeof logEntrySchema>

/** Returns the boards whose moderators can restore what an entry removed; null is the whole site. */
export const restoreBoardsOf = ({
  boardId,
  restoreBoards,
}: Pick<LogEntryView, 'boardId' | 'restoreBoards'>): (string | null)[] => restoreBoards ?? [boardId]

export const logPageSchema = z.object({ entries: z.array(logEntrySchema), nextBefore: nextBeforeSchema })
export type LogPage = z.output<typeof logPageSchema> & { lastEventId: string }

export const restoreResultSchema = z.object({
  restored: z.int(),
  waiting: z.int().describe('posts whose thread or comment is still removed'),
  held: z.int().describe('restored posts that wait for a review again'),
})

export const restoreInput = z.object({ logId: idField(refusal('moderation.logEntry')) })
export const logInput = z.object({
  /** an impossible id lists nothing, like an unknown one */
  boardId: z.string().max(40).refine(isStorable).optional().catch(''),
  /** lists entries with lower ids */
  before: idField(refusal('moderation.logEntry')).optional(),
})
