import { z } from 'zod'
import { BAN_WIDTHS, banEnd } from './bans.ts'
import { flag, idField } from './fields.ts'
import { POST_FLAG_ACTIONS } from './post.ts'
import { refusal } from './refusal.ts'
import { isStorable, singleLine, UNSAFE_IN_LINE } from './text.ts'
import { THREAD_FLAG_ACTIONS } from './thread.ts'

const keysOf = <Actions extends object>(actions: Actions) => Object.keys(actions) as (keyof Actions)[]

/** Actions that need a thread's opening post. */
export const THREAD_ACTIONS = [...keysOf(THREAD_FLAG_ACTIONS), 'move', 'unarchive'] as const

/** Actions on one post. */
export const POST_ACTIONS = [
  'delete',
  'delete-image',
  'remove-note',
  ...keysOf(POST_FLAG_ACTIONS),
  ...THREAD_ACTIONS,
] as const
export type PostAction = (typeof POST_ACTIONS)[number]

export const moderationLimits = {
  reason: 300,
  note: 200,
  logEntriesPerPage: 50,
  /** days during which removed posts can be restored */
  restoreDays: 7,
  /** days after which a held post that no moderator reviewed is deleted */
  heldDays: 30,
} as const

/** The scope of an action on a poster: one board, or for admins the whole site. */
const POSTER_SCOPES = ['board', 'site'] as const
export type PosterScope = (typeof POSTER_SCOPES)[number]

export const actionResultSchema = z.object({
  logId: z.int().nullable().describe('null if nothing changed'),
  count: z.int(),
})

export const removePosterResultSchema = actionResultSchema.extend({
  banId: z.int().nullable().describe('null if nobody was banned'),
})

const labelSchema = z
  .string()
  .nullable()
  .describe('short name of the poster on this board; null if the site no longer knows where the post came from')

export const posterSchema = z.object({ label: labelSchema, posts: z.int() })

/** A post in a list for moderators. */
export const listedPostSchema = z.object({
  id: z.int(),
  boardId: z.string(),
  threadId: z.int(),
  author: z.string(),
  excerpt: z.string(),
  createdAt: z.date(),
})

export const postContextSchema = z
  .object({
    relation: z.enum(['answers', 'quotes', 'opening']),
    id: z.int(),
    author: z.string(),
    excerpt: z.string().describe('the post in one line, cut to 200 characters'),
  })
  .meta({ id: 'PostContext' })
/** The post that a post answers or quotes, else the opening post of its thread. */
export type PostContext = z.output<typeof postContextSchema>

export const postSurroundingsSchema = z.object({
  label: labelSchema,
  context: postContextSchema.nullable().describe('null for opening posts, and if the thread was deleted'),
})
/** The context of a post, for moderators. */
export type PostSurroundings = z.output<typeof postSurroundingsSchema>

/** Shown in the public log. May be empty. */
export const reasonField = z
  .string(refusal('moderation.reasonText'))
  .trim()
  .max(moderationLimits.reason, refusal('failure.tooLong', { label: 'field.reason', max: moderationLimits.reason }))
  .refine(isStorable, refusal('failure.unstorable'))
  .refine((value) => !UNSAFE_IN_LINE.test(value), refusal('failure.oneLine', { label: 'field.reason' }))
  .default('')

export const postTarget = z.object({
  boardId: z.union([z.string(), z.number()], refusal('failure.required', { field: 'boardId' })).transform(String),
  postId: idField(refusal('moderation.post')),
})

export const actInput = postTarget.extend({
  action: z.enum(POST_ACTIONS, refusal('moderation.action')),
  reason: reasonField,
  image: z
    .string(refusal('moderation.imageRefusal'))
    .optional()
    .describe('URL of the image to delete; without it, all'),
  toBoard: z.coerce.string<string | number>().optional().describe('the board to `move` to; the user moderates both'),
})
const scope = z.enum(POSTER_SCOPES, refusal('moderation.scope')).default('board')
const width = z.enum(BAN_WIDTHS, refusal('moderation.banWidth')).default('host')
export const posterInput = postTarget.extend({ scope, width })
export const removePosterInput = posterInput
  .extend({
    reason: reasonField,
    deletePosts: flag('deletePosts').default(true),
    /** also bans the poster, for the board or the site */
    ban: z.object({ endsAt: banEnd, width, scope }, refusal('moderation.banEnds')).optional(),
    note: singleLine(refusal('moderation.noteText'), 'field.note', moderationLimits.note)
      .optional()
      .describe('with a ban: a public note below the post'),
  })
  .refine(({ note, ban }) => note === undefined || ban, refusal('moderation.noteNeedsBan'))
  .refine(({ deletePosts, ban }) => deletePosts || ban, refusal('moderation.nothingToDo'))
  .refine(({ reason, ban }) => !ban || reason !== '', refusal('moderation.banReason'))
