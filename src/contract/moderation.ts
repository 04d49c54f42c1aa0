import { boardLimits } from './board.ts'

/** Items whose origins are stored. */
export const ORIGIN_KINDS = ['post', 'paste', 'image'] as const
export type OriginKind = (typeof ORIGIN_KINDS)[number]

/** Items that can be reported and taken down. */
export const ITEM_KINDS = ['post', 'paste', 'image', 'program'] as const
export type ItemKind = (typeof ITEM_KINDS)[number]

/** `host` is one IPv4 address or a /64, `range` is a /24 or a /48. */
export const BAN_WIDTHS = ['host', 'range'] as const
export type BanWidth = (typeof BAN_WIDTHS)[number]

/** What a banned visitor reads. */
export type BanNotice = {
  reason: string
  endsAt: Date
  /** for one appeal; null if somebody has already appealed */
  appealToken: string | null
}

export function banText({ reason, endsAt }: Pick<BanNotice, 'reason' | 'endsAt'>): string {
  const [year, month, day, time] = endsAt.toISOString().slice(0, 16).split(/[-T]/)
  return `You are banned until ${day}/${month}/${year} ${time} UTC. Reason: ${reason}`
}

/** Who acted, as the public log names it. */
export const LOG_ROLES = ['admin', 'moderator', 'author', 'site'] as const
export type LogRole = (typeof LOG_ROLES)[number]

/** Actions on one post. The last four need a thread's opening post. */
export const POST_ACTIONS = [
  'delete',
  'delete-image',
  'spoiler',
  'unspoiler',
  'lock',
  'unlock',
  'pin',
  'unpin',
] as const
export type PostAction = (typeof POST_ACTIONS)[number]

export const MODERATION_ACTIONS = [
  ...POST_ACTIONS,
  'delete-by-poster',
  'ban',
  'lift-ban',
  'restore',
  'takedown',
  'approve',
  'refuse',
  'switch-on',
  'switch-off',
] as const
export type ModerationAction = (typeof MODERATION_ACTIONS)[number]

export const REPORT_REASONS = ['illegal', 'personal', 'spam', 'harassment', 'off-topic', 'other'] as const
export type ReportReason = (typeof REPORT_REASONS)[number]

export type ReportOutcome = 'deleted' | 'taken-down' | 'dismissed'

export const FILTER_KINDS = ['literal', 'pattern', 'domain'] as const
export type FilterKind = (typeof FILTER_KINDS)[number]

/** What a filter looks at: texts of posts (title and content), names of authors, contents of pastes. */
export type FilterField = 'post' | 'name' | 'paste'

export const FILTER_EFFECTS = ['refuse', 'hold'] as const
export type FilterEffect = (typeof FILTER_EFFECTS)[number]

/** What moderators are alerted to: a new report, a held post, the start of a raid. */
export const ALERT_KINDS = ['report', 'held', 'raid'] as const
export type AlertKind = (typeof ALERT_KINDS)[number]

export const SWITCHES = [
  'text-only',
  'hold-posts',
  'proof-of-work',
  'members-threads',
  'uploads-off',
  'pastes-off',
  'read-only',
] as const
export type SiteSwitch = (typeof SWITCHES)[number]

/** Offered to moderators, who may also write another reason. */
export const commonReasons = ['Spam', 'Off topic', 'Harassment', 'Personal data', 'Illegal'] as const

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
  tooManyPins: `This board already has ${boardLimits.pinnedThreads} pinned threads. Unpin one first.`,
  deleteToken: 'This delete token is not valid for this post',
  logEntry: 'A number of a log entry is required',
  logEntryNotFound: 'Log entry not found',
  notRestorable: 'There is nothing left to restore',
  parentRemoved: 'Restore the thread or comment of these posts first',
  unknownPoster: 'This site no longer knows where this post came from',
  siteForAdmins: 'Only admins can act on the whole site',
  scope: 'Scope must be board or site',
  width: 'Width must be host or range',
  deletePosts: 'deletePosts must be true or false',
  nothingToDo: 'Delete the posts, ban the poster, or both',
  loadLog: 'Failed to load the moderation log',
  act: 'Failed to change the post',
  restore: 'Failed to restore the posts',
} as const

/** An entry of the public log. It never contains a name, an address or removed content. */
export type LogEntryView = {
  id: number
  at: Date
  action: ModerationAction
  role: LogRole
  /** null for actions on the whole site */
  boardId: string | null
  reason: string
  /** number of posts that the action changed */
  count: number
  isUndone: boolean
  /** whether the removed posts can still be restored */
  canRestore: boolean
}

export type LogPage = {
  entries: LogEntryView[]
  /** `before` of the next page, or null on the last page */
  nextBefore: number | null
  lastEventId: string
}

/** The result of an action. `logId` is null if the post already was as requested. */
export type ActionResult = { logId: number | null; count: number }

/** `banId` is null if nobody was banned. */
export type RemovePosterResult = ActionResult & { banId: number | null }

/**
 * The result of restoring. `waiting` counts posts whose thread or comment is still removed, `held` those of the restored
 * posts that wait for a review again.
 */
export type RestoreResult = { restored: number; waiting: number; held: number }

/** What an action on a poster covers: one board, or for admins the whole site. */
export const POSTER_SCOPES = ['board', 'site'] as const
export type PosterScope = (typeof POSTER_SCOPES)[number]

/** `label` is null if the site no longer knows where the post came from. */
export type PosterView = { label: string | null; posts: number }

/** The public log. */
export const LOG_PATH = '/dtpchan/log'

/** Parses `before` of the log's URL. All entries of that page have lower ids. */
export const parseBefore = (text: string | undefined): number | undefined =>
  text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
