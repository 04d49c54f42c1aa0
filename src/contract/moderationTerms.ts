// Separate from the texts, because the schemas of answers need these lists.

/** Items whose origins are stored. */
export const ORIGIN_KINDS = ['post', 'paste', 'image'] as const
export type OriginKind = (typeof ORIGIN_KINDS)[number]

/** Items that can be reported and taken down. */
export const ITEM_KINDS = ['post', 'paste', 'image', 'program'] as const
export type ItemKind = (typeof ITEM_KINDS)[number]

/** `host` is one IPv4 address or a /64, `range` is a /24 or a /48. */
export const BAN_WIDTHS = ['host', 'range'] as const
export type BanWidth = (typeof BAN_WIDTHS)[number]

/** Actors as the public log names them. */
export const LOG_ROLES = ['admin', 'moderator', 'author', 'site'] as const
export type LogRole = (typeof LOG_ROLES)[number]

/** Actions on one post. The last five need a thread's opening post. */
export const POST_ACTIONS = [
  'delete',
  'delete-image',
  'spoiler',
  'unspoiler',
  'lock',
  'unlock',
  'pin',
  'unpin',
  'unarchive',
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

/** The fields that a filter checks: texts of posts (title and content), names of authors, contents of pastes. */
export const FILTER_FIELDS = ['post', 'name', 'paste'] as const
export type FilterField = (typeof FILTER_FIELDS)[number]

export const FILTER_EFFECTS = ['refuse', 'hold'] as const
export type FilterEffect = (typeof FILTER_EFFECTS)[number]

/** Events that alert moderators: a new report, a held post, the start of a raid. */
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
