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
  delete: (values) => rich('action.deleteLog', values),
  'delete-image': (values) => rich('action.deleteImageLog', values),
  'remove-note': (values) => rich('action.removeNoteLog', values),
  spoiler: (values) => rich('action.spoilerLog', values),
  unspoiler: (values) => rich('action.unspoilerLog', values),
  lock: (values) => rich('action.lockLog', values),
  unlock: (values) => rich('action.unlockLog', values),
  pin: (values) => rich('action.pinLog', values),
  unpin: (values) => rich('action.unpinLog', values),
  bumplock: (values) => rich('action.bumplockLog', values),
  unbumplock: (values) => rich('action.unbumplockLog', values),
  cycle: (values) => rich('action.cycleLog', values),
  uncycle: (values) => rich('action.uncycleLog', values),
  move: (values) => rich('action.moveLog', values),
  unarchive: (values) => rich('action.unarchiveLog', values),
  'delete-by-poster': (values) => rich('action.deleteByPosterLog', values),
  ban: (values) => rich('action.banLog', values),
  'lift-ban': (values) => rich('action.liftBanLog', values),
  restore: (values) => rich('action.restoreLog', values),
  takedown: (values) => rich('action.takedownLog', values),
  approve: (values) => rich('action.approveLog', values),
  refuse: (values) => rich('action.refuseLog', values),
  'switch-on': (values) => rich('action.switchOnLog', values),
  'switch-off': (values) => rich('action.switchOffLog', values),
}

export const describeAction = (
  { action, count, isThread }: Pick<LogEntryView, 'action' | 'count' | 'isThread'>,
  actors: Actors,
): ReactNode =>
  action === 'delete' && isThread
    ? rich('action.deleteThreadLog', { count, ...actors })
    : TEXTS[action]({ count, ...actors })

const SITE_REASONS: Record<SiteReason, () => string> = {
  raid: () => t('moderation.logRaidReason'),
  gone: () => t('moderation.logGoneReason'),
}

const isSiteReason = (reason: string): reason is SiteReason => Object.hasOwn(SITE_REASONS, reason)

/** Returns the reason as text. The site itself gives a code. */
export const describeReason = ({ role, reason }: Pick<LogEntryView, 'role' | 'reason'>): string =>
  role === 'site' && isSiteReason(reason) ? SITE_REASONS[reason]() : reason
