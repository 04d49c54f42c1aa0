import type { LogEntryView } from './moderationAnswers.ts'

export type {
  ActionResult,
  BanNotice,
  LogEntryView,
  PosterView,
  RemovePosterResult,
  RestoreResult,
} from './moderationAnswers.ts'
export * from './moderationTerms.ts'

export const moderationLimits = {
  reason: 300,
  logEntriesPerPage: 50,
  /** days during which removed posts can be restored */
  restoreDays: 7,
  /** days after which a held post that no moderator reviewed is deleted */
  heldDays: 30,
} as const

export type LogPage = {
  entries: LogEntryView[]
  /** `before` of the next page, or null on the last page */
  nextBefore: number | null
  lastEventId: string
}

/** The scope of an action on a poster: one board, or for admins the whole site. */
export const POSTER_SCOPES = ['board', 'site'] as const
export type PosterScope = (typeof POSTER_SCOPES)[number]

/** The public log. */
export const LOG_PATH = '/dtpchan/log'

/** Parses `before` of the log's URL. All entries of that page have lower ids. */
export const parseBefore = (text: string | undefined): number | undefined =>
  text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
