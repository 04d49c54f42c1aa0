import { z } from 'zod'
import { APPEAL_OUTCOMES, banLimits } from './bans.ts'
import { BAN_WIDTHS, ORIGIN_KINDS } from './moderation.ts'
import { banEnd, idField } from './moderationForms.ts'
import { pathNumber } from './pathNumber.ts'
import { refusal } from './refusal.ts'
import { multiLine, singleLine } from './text.ts'

export const banTerms = z.object({
  width: z.enum(BAN_WIDTHS, refusal('moderation.banWidth')),
  reason: singleLine(refusal('moderation.banReason'), 'field.reason', banLimits.reason),
  endsAt: banEnd,
})

export const banForm = banTerms.extend({
  kind: z.enum(ORIGIN_KINDS, refusal('moderation.banItem')),
  itemId: z
    .union([z.string(), z.number()], refusal('moderation.banItem'))
    .transform(String)
    .refine((id) => /^[\w-]{1,64}$/.test(id), refusal('moderation.banItem')),
  /** null for the whole site */
  boardId: z.string(refusal('moderation.banBoard')).max(40, refusal('moderation.banBoard')).nullable(),
})
export type BanForm = z.input<typeof banForm>

export const banParams = z.object({ banId: pathNumber })
export const banListInput = z.object({
  /** lists only bans with an open appeal */
  appeals: z.boolean(refusal('moderation.banAppeals')).optional(),
  /** lists bans with lower ids */
  before: idField(refusal('moderation.banNumber')).optional(),
})
export const appealForm = z.object({
  appealToken: z.string(refusal('moderation.banAppealToken')).max(64, refusal('moderation.banAppealToken')),
  text: multiLine(refusal('moderation.banAppealText'), 'field.appeal', banLimits.appeal),
})
export const appealAnswer = banParams.extend({ outcome: z.enum(APPEAL_OUTCOMES, refusal('moderation.banOutcome')) })
