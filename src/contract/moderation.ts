import { boardLimits } from './board.ts'
import type { BanNotice, LogEntryView } from './moderationAnswers.ts'

export type {
  ActionResult,
  BanNotice,
  LogEntryView,
  PosterView,
  RemovePosterResult,
  RestoreResult,
} from './moderationAnswers.ts'
export * from './moderationTerms.ts'

export function banText({ reason, endsAt }: Pick<BanNotice, 'reason' | 'endsAt'>): string {
  const [year, month, day, time] = endsAt.toISOString().slice(0, 16).split(/[-T]/)
  return `You are banned until ${day}/${month}/${year} ${time} UTC. Reason: ${reason}`
}

export const moderationLimits = {
  reason: 300,
  logEntriesPerPage: 50,
  /** days during which removed posts can be restored */
  restoreDays: 7,
  /** days after which a held post that no moderator reviewed is deleted */
  heldDays: 30,
} as const

export const moderationMessages = {
  action: 'Unknown action',
  post: 'A post number is required',
  postNotFound: 'Post not found',
  notAThread: 'Only threads can be locked and pinned',
  noImage: 'This post has no picture',
  image: 'image must be the URL of a picture',
  tooManyPins: `This board already has ${boardLimits.pinnedThreads} pinned threads. Unpin one first.`,
  deleteToken: 'This delete token is not valid for this post',
  logEntry: 'A number of a log entry is required',
  logEntryNotFound: 'Log entry not found',
  notRestorable: 'There is nothing left to restore',
  deletedByAuthor: 'Its author deleted this post, so it stays deleted',
  parentRemoved: 'Restore the thread or comment of these posts first',
  unknownPoster: 'This site no longer knows where this post came from',
  siteForAdmins: 'Only admins can act on the whole site',
  scope: 'Scope must be board or site',
  width: 'Width must be host or range',
  deletePosts: 'deletePosts must be true or false',
  nothingToDo: 'Delete the posts, ban the poster, or both',
  act: 'Failed to change the post',
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
