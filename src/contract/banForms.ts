import { z } from 'zod'
import { APPEAL_OUTCOMES, banLimits, banMessages } from './bans.ts'
import { BAN_WIDTHS, ORIGIN_KINDS } from './moderation.ts'
import { banEnd, idField } from './moderationForms.ts'
import { pathNumber } from './pathNumber.ts'
import { multiLine, singleLine } from './text.ts'

export const banTerms = z.object({
  width: z.enum(BAN_WIDTHS, banMessages.width),
  reason: singleLine(banMessages.reason, 'Reason', banLimits.reason),
  endsAt: banEnd,
})

export const banForm = banTerms.extend({
  kind: z.enum(ORIGIN_KINDS, banMessages.item),
  itemId: z
    .union([z.string(), z.number()], banMessages.item)
    .transform(String)
    .refine((id) => /^[\w-]{1,64}$/.test(id), banMessages.item),
  /** null for the whole site */
  boardId: z.string(banMessages.board).max(40, banMessages.board).nullable(),
})
export type BanForm = z.input<typeof banForm>

export const banParams = z.object({ banId: pathNumber })
export const banListInput = z.object({
  /** lists only bans with an open appeal */
  appeals: z.boolean(banMessages.appeals).optional(),
  /** lists bans with lower ids */
  before: idField(banMessages.number).optional(),
})
export const appealForm = z.object({
  appealToken: z.string(banMessages.appealToken).max(64, banMessages.appealToken),
  text: multiLine(banMessages.appealText, 'Appeal', banLimits.appeal),
})
export const appealAnswer = banParams.extend({ outcome: z.enum(APPEAL_OUTCOMES, banMessages.outcome) })
