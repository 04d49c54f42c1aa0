import { z } from 'zod'
import { BAN_WIDTHS, moderationLimits, POST_ACTIONS, POSTER_SCOPES } from './moderation.ts'
import { refusal } from './refusal.ts'
import { isStorable } from './storableText.ts'
import { UNSAFE_IN_LINE } from './text.ts'

/** Shown in the public log. May be empty. */
export const reasonField = z
  .string(refusal('moderation.reasonText'))
  .trim()
  .max(moderationLimits.reason, refusal('failure.tooLong', { label: 'field.reason', max: moderationLimits.reason }))
  .refine(isStorable, refusal('failure.unstorable'))
  .refine((value) => !UNSAFE_IN_LINE.test(value), refusal('failure.oneLine', { label: 'field.reason' }))
  .default('')

/** Accepts numbers and their text, because URLs and forms contain only text. */
export const idField = (message: string) =>
  z
    .union([z.number(), z.string().regex(/^[1-9]\d{0,14}$/, message)], message)
    .transform(Number)
    .pipe(z.int(message).min(1, message).max(999_999_999_999_999, message))

export const banEnd = z
  .union(
    [z.date(), z.iso.datetime({ offset: true, error: refusal('moderation.banEnds') })],
    refusal('moderation.banEnds'),
  )
  .transform((value) => new Date(value))

export const postTarget = z.object({
  boardId: z.coerce.string<string | number>(),
  postId: idField(refusal('moderation.post')),
})

export const actInput = postTarget.extend({
  action: z.enum(POST_ACTIONS, refusal('moderation.action')),
  reason: reasonField,
  image: z
    .string(refusal('moderation.imageRefusal'))
    .optional()
    .describe('URL of the image to delete; without it, all'),
})
const scope = z.enum(POSTER_SCOPES, refusal('moderation.scope')).default('board')
const width = z.enum(BAN_WIDTHS, refusal('moderation.width')).default('host')
export const posterInput = postTarget.extend({ scope, width })
export const removePosterInput = posterInput
  .extend({
    reason: reasonField,
    deletePosts: z.boolean(refusal('moderation.deletePosts')).default(true),
    /** also bans the poster, for the board or the site */
    ban: z.object({ endsAt: banEnd, width, scope }, refusal('moderation.banEnds')).optional(),
  })
  .refine(({ deletePosts, ban }) => deletePosts || ban, refusal('moderation.nothingToDo'))
  .refine(({ reason, ban }) => !ban || reason !== '', refusal('moderation.banReason'))

export const restoreInput = z.object({ logId: idField(refusal('moderation.logEntry')) })
export const logInput = z.object({
  /** an impossible id lists nothing, like an unknown one */
  boardId: z.string().max(40).refine(isStorable).optional().catch(''),
  /** lists entries with lower ids */
  before: idField(refusal('moderation.logEntry')).optional(),
})
