import type { OriginKind } from './moderation.ts'

export type { BanPage, BanView } from './banAnswers.ts'

export const banLimits = {
  reason: 300,
  appeal: 1000,
  /** days of the longest ban; the server keeps the keys that live bans need */
  days: 365,
  perPage: 50,
} as const

export const APPEAL_OUTCOMES = ['lift', 'keep'] as const
export type AppealOutcome = (typeof APPEAL_OUTCOMES)[number]

export type BanItem = { kind: OriginKind; itemId: string }
