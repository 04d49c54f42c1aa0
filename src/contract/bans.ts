import { z } from 'zod'
import { flag, idField, instant, nextBeforeSchema, pathNumber } from './fields.ts'
import { refusal } from './refusal.ts'
import { multiLine, singleLine } from './text.ts'

/** Items whose origins are stored. */
export const ORIGIN_KINDS = ['post', 'paste', 'image'] as const
export type OriginKind = (typeof ORIGIN_KINDS)[number]

/** `host` is one IPv4 address or a /64, `range` is a /24 or a /48. */
export const BAN_WIDTHS = ['host', 'range'] as const
export type BanWidth = (typeof BAN_WIDTHS)[number]

export const banLimits = {
  reason: 300,
  appeal: 1000,
  /** days of the longest ban; the server keeps the keys that live bans need */
  days: 365,
  perPage: 50,
} as const

const APPEAL_OUTCOMES = ['lift', 'keep'] as const

export type BanItem = { kind: OriginKind; itemId: string }

export const APPEAL_PATH = '/appeal'
/** The documented call. The form of the appeal page sends to it. */
export const APPEAL_CALL = '/api/moderation/appeals'

export const appealUrl = (token: string) => `${APPEAL_PATH}?token=${encodeURIComponent(token)}`

/** Reads the appeal token of a documented call's answer. */
export function readAppealToken(answer: { ban?: unknown } | null): string | null {
  const { appealToken } = (answer?.ban ?? {}) as { appealToken?: unknown }
  return typeof appealToken === 'string' ? appealToken : null
}

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

export const banNoticeSchema = z
  .object({
    reason: z.string(),
    endsAt: z.date(),
    appealToken: z.string().nullable().describe('for one appeal; null if somebody has already appealed'),
  })
  .meta({ id: 'BanNotice', description: 'What a banned visitor reads' })
export type BanNotice = z.output<typeof banNoticeSchema>

export const banEnd = instant(refusal('moderation.banEnds'))

export const banForm = z.object({
  width: z.enum(BAN_WIDTHS, refusal('moderation.banWidth')),
  reason: singleLine(refusal('moderation.banReason'), 'field.reason', banLimits.reason),
  endsAt: banEnd,
  kind: z.enum(ORIGIN_KINDS, refusal('moderation.banItem')),
  itemId: z
    .union([z.string(), z.number()], refusal('moderation.banItem'))
    .transform(String)
    .refine((id) => /^[\w-]{1,64}$/.test(id), refusal('moderation.banItem')),
  /** null for the whole site */
  boardId: z.string(refusal('moderation.banBoard')).max(40, refusal('moderation.banBoard')).nullable(),
})

export const banParams = z.object({ banId: pathNumber })
export const banListInput = z.object({
  /** lists only bans with an open appeal */
  appeals: flag('appeals').optional(),
  /** lists bans with lower ids */
  before: idField(refusal('moderation.banNumber')).optional(),
})
export const appealForm = z.object({
  appealToken: z.string(refusal('moderation.banAppealToken')).max(64, refusal('moderation.banAppealToken')),
  text: multiLine(refusal('moderation.banAppealText'), 'field.appeal', banLimits.appeal),
})
export const appealAnswer = banParams.extend({ outcome: z.enum(APPEAL_OUTCOMES, refusal('moderation.banOutcome')) })
