import { z } from 'zod'
import { nextBeforeSchema } from './moderationAnswers.ts'
import { BAN_WIDTHS } from './moderationTerms.ts'

export const banSchema = z
  .object({
    id: z.int(),
    boardId: z.string().nullable().describe('null for the whole site'),
    width: z.enum(BAN_WIDTHS),
    label: z.string().describe('short name of the banned poster on this board'),
    reason: z.string(),
    createdAt: z.date(),
    endsAt: z.date(),
    createdBy: z.string().nullable().describe('email of the moderator; null if the account was deleted'),
    appeal: z.string().nullable(),
    appealedAt: z.date().nullable(),
    answeredAt: z.date().nullable().describe('when a moderator answered the appeal'),
  })
  .meta({ id: 'Ban' })
/** A live ban, as moderators see it. */
export type BanView = z.output<typeof banSchema>

export const banPageSchema = z.object({ bans: z.array(banSchema), nextBefore: nextBeforeSchema })
export type BanPage = z.output<typeof banPageSchema>
