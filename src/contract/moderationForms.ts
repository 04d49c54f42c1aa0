import { z } from 'zod'
import { banMessages } from './bans.ts'
import { BAN_WIDTHS, moderationLimits, moderationMessages, POST_ACTIONS, POSTER_SCOPES } from './moderation.ts'
import { ILL_FORMED_TEXT, isStorable } from './storableText.ts'
import { UNSAFE_IN_LINE } from './text.ts'

/** Shown in the public log. May be empty. */
export const reasonField = z
  .string('The reason must be text')
  .trim()
  .max(moderationLimits.reason, `Reason must be at most ${moderationLimits.reason} characters`)
  .refine(isStorable, ILL_FORMED_TEXT)
  .refine(
    (value) => !UNSAFE_IN_LINE.test(value),
    'Reason must be one line without control or text direction characters',
  )
  .default('')

/** Accepts numbers and their text, because URLs and forms contain only text. */
export const idField = (message: string) =>
  z
    .union([z.number(), z.string().regex(/^[1-9]\d{0,14}$/, message)], message)
    .transform(Number)
    .pipe(z.int(message).min(1, message).max(999_999_999_999_999, message))

export const banEnd = z
  .union([z.date(), z.iso.datetime({ offset: true, error: banMessages.ends })], banMessages.ends)
  .transform((value) => new Date(value))

export const postTarget = z.object({
  boardId: z.coerce.string<string | number>(),
  postId: idField(moderationMessages.post),
})

export const actInput = postTarget.extend({
  action: z.enum(POST_ACTIONS, moderationMessages.action),
  reason: reasonField,
  image: z.string(moderationMessages.image).optional().describe('URL of the image to delete; without it, all'),
})
const scope = z.enum(POSTER_SCOPES, moderationMessages.scope).default('board')
const width = z.enum(BAN_WIDTHS, moderationMessages.width).default('host')
export const posterInput = postTarget.extend({ scope, width })
export const removePosterInput = posterInput
  .extend({
    reason: reasonField,
    deletePosts: z.boolean(moderationMessages.deletePosts).default(true),
    /** also bans the poster, for the board or the site */
    ban: z.object({ endsAt: banEnd, width, scope }, banMessages.ends).optional(),
  })
  .refine(({ deletePosts, ban }) => deletePosts || ban, moderationMessages.nothingToDo)
  .refine(({ reason, ban }) => !ban || reason !== '', banMessages.reason)

export const restoreInput = z.object({ logId: idField(moderationMessages.logEntry) })
export const logInput = z.object({
  /** an impossible id lists nothing, like an unknown one */
  boardId: z.string().max(40).refine(isStorable).optional().catch(''),
  /** lists entries with lower ids */
  before: idField(moderationMessages.logEntry).optional(),
})
