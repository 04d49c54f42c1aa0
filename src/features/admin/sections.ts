export type AdminSection = {
  label: string
  href: `/${string}`
  /** one sentence under the title */
  lead: string
  /** whether moderators may open it, and not only admins */
  forModerators?: boolean
}

/** Lists the admin area's pages in the order of its navigation. To add a page, add a row and a folder in `pages/admin`. */
export const adminSections: AdminSection[] = [
  { label: 'Overview', href: '/admin', lead: 'What the site is doing.' },
  {
    label: 'Queue',
    href: '/admin/queue',
    lead: 'Reports, held posts and appeals that wait for a decision.',
    forModerators: true,
  },
  { label: 'Log', href: '/dtpchan/log', lead: 'Public record of what was done.', forModerators: true },
  { label: 'Bans', href: '/admin/bans', lead: 'Who may not post, where and until when.', forModerators: true },
  { label: 'Filters', href: '/admin/filters', lead: 'What is refused or waits for a review.' },
  { label: 'Blocked images', href: '/admin/blocked-images', lead: 'What nobody may upload again.' },
  { label: 'Users', href: '/admin/users', lead: 'Everyone who can log in.' },
  { label: 'Boards', href: '/admin/boards', lead: 'Names, rules, moderators and the order of the boards.' },
  { label: 'Feeds', href: '/admin/feeds', lead: 'Where the news comes from.' },
  { label: 'Site', href: '/admin/site', lead: 'Names, looks, pages and banners that are in force.' },
  { label: 'Jobs', href: '/admin/jobs', lead: 'What runs in the background, and when it last ran.' },
  { label: 'Storage', href: '/admin/storage', lead: 'What is stored, and how much room is left.' },
]

export const findSection = (path: string): AdminSection | undefined => adminSections.find(({ href }) => href === path)
