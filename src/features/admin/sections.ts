import { t } from '#src/i18n/t.ts'

type AdminSection = {
  label: string
  href: `/${string}`
  /** one sentence under the title */
  lead: string
  /** whether moderators may open it, and not only admins */
  forModerators?: boolean
}

export const QUEUE_PATH = '/admin/queue'

/** Lists the admin area's pages in the order of its navigation. To add a page, add a row and a folder in `pages/admin`. */
export const listSections = (): AdminSection[] => [
  { label: t('admin.overview'), href: '/admin', lead: t('admin.overviewLead') },
  { label: t('moderation.queue'), href: QUEUE_PATH, lead: t('admin.queueLead'), forModerators: true },
  { label: t('admin.log'), href: '/dtpchan/log', lead: t('admin.logLead'), forModerators: true },
  { label: t('moderation.bans'), href: '/admin/bans', lead: t('admin.bansLead'), forModerators: true },
  { label: t('board.filters'), href: '/admin/filters', lead: t('admin.filtersLead') },
  { label: t('moderation.blockedImages'), href: '/admin/blocked-images', lead: t('admin.blockedImagesLead') },
  { label: t('admin.users'), href: '/admin/users', lead: t('admin.usersLead') },
  { label: t('admin.boards'), href: '/admin/boards', lead: t('admin.boardsLead') },
  { label: t('admin.feeds'), href: '/admin/feeds', lead: t('admin.feedsLead') },
  { label: t('branding.section'), href: '/admin/site', lead: t('branding.sectionLead') },
  { label: t('admin.jobs'), href: '/admin/jobs', lead: t('admin.jobsLead') },
  { label: t('admin.storage'), href: '/admin/storage', lead: t('admin.storageLead') },
]

export const findSection = (path: string): AdminSection | undefined => listSections().find(({ href }) => href === path)
