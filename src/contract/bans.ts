import type { OriginKind } from './moderation.ts'

export type { BanPage, BanView } from './banAnswers.ts'

export const banLimits = {
  reason: 300,
  appeal: 1000,
  /** days of the longest ban; the server keeps the keys that live bans need */
  days: 365,
  perPage: 50,
} as const

export const banMessages = {
  item: 'A post, paste or picture is required',
  board: 'A board is required, or null for the whole site',
  width: 'Width must be host or range',
  reason: 'A reason is required',
  ends: 'The end must be a date in the next 365 days',
  noOrigin: 'The site no longer knows who posted this',
  siteForAdmins: 'Only admins can ban from the whole site',
  notFound: 'Ban not found',
  number: 'A number of a ban is required',
  appeals: 'appeals must be true or false',
  appealText: 'Please write why the ban should end',
  appealToken: 'This appeal is not valid',
  alreadyAppealed: 'This ban was appealed already, or it has ended',
  noAppeal: 'This ban has no open appeal',
  outcome: 'Outcome must be lift or keep',
} as const

export const APPEAL_OUTCOMES = ['lift', 'keep'] as const
export type AppealOutcome = (typeof APPEAL_OUTCOMES)[number]

export type BanItem = { kind: OriginKind; itemId: string }
