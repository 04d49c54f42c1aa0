import type { ReactNode } from 'react'
import type { LogEntryView, LogRole, ModerationAction, SiteReason } from '#src/contract/log.ts'
import { rich, t } from '#src/i18n/t.ts'

const ROLES: Record<LogRole, () => string> = {
  admin: () => t('moderation.roleAdmin'),
  moderator: () => t('moderation.roleModerator'),
  author: () => t('moderation.roleAuthor'),
  site: () => t('moderation.roleSite'),
}

export const describeRole = ({ role, boardId }: Pick<LogEntryView, 'role' | 'boardId'>): string =>
  role === 'moderator' && boardId !== null ? t('moderation.roleBoardModerator', { boardId }) : ROLES[role]()

/** Where an entry's text shows who acted, and on which board. */
type Actors = { role: () => ReactNode; place: () => ReactNode }

const TEXTS: Record<ModerationAction, (values: Actors & { count: number }) => ReactNode> = {
  delete: (values) => rich('moderation.logDelete', values),
  'delete-image': (values) => rich('moderation.logDeleteImage', values),
  'remove-note': (values) => rich('moderation.logRemoveNote', values),
  spoiler: (values) => rich('moderation.logSpoiler', values),
  unspoiler: (values) => rich('moderation.logUnspoiler', values),
  lock: (values) => rich('moderation.logLock', values),
  unlock: (values) => rich('moderation.logUnlock', values),
  pin: (values) => rich('moderation.logPin', values),
  unpin: (values) => rich('moderation.logUnpin', values),
  bumplock: (values) => rich('moderation.logBumplock', values),
  unbumplock: (values) => rich('moderation.logUnbumplock', values),
  cycle: (values) => rich('moderation.logCycle', values),
  uncycle: (values) => rich('moderation.logUncycle', values),
  move: (values) => rich('moderation.logMove', values),
  unarchive: (values) => rich('moderation.logUnarchive', values),
  'delete-by-poster': (values) => rich('moderation.logDeleteByPoster', values),
  ban: (values) => rich('moderation.logBan', values),
  'lift-ban': (values) => rich('moderation.logLiftBan', values),
  restore: (values) => rich('moderation.logRestore', values),
  takedown: (values) => rich('moderation.logTakedown', values),
  approve: (values) => rich('moderation.logApprove', values),
  refuse: (values) => rich('moderation.logRefuse', values),
  'switch-on': (values) => rich('moderation.logSwitchOn', values),
  'switch-off': (values) => rich('moderation.logSwitchOff', values),
}

export const describeAction = (
  { action, count, isThread }: Pick<LogEntryView, 'action' | 'count' | 'isThread'>,
  actors: Actors,
): ReactNode =>
  action === 'delete' && isThread
    ? rich('moderation.logDeleteThread', { count, ...actors })
    : TEXTS[action]({ count, ...actors })

const SITE_REASONS: Record<SiteReason, () => string> = {
  raid: () => t('moderation.logRaidReason'),
  gone: () => t('moderation.logGoneReason'),
}

const isSiteReason = (reason: string): reason is SiteReason => Object.hasOwn(SITE_REASONS, reason)

/** Returns the reason as text. The site itself gives a code. */
export const describeReason = ({ role, reason }: Pick<LogEntryView, 'role' | 'reason'>): string =>
  role === 'site' && isSiteReason(reason) ? SITE_REASONS[reason]() : reason
