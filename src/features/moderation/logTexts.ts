import type { LogEntryView, ModerationAction } from '#src/contract/moderation.ts'

export function describeRole({ role, boardId }: Pick<LogEntryView, 'role' | 'boardId'>): string {
  if (role === 'moderator') return boardId === null ? 'A moderator' : `A moderator of /${boardId}/`
  return { admin: 'An admin', author: 'An author', site: 'The site' }[role]
}

const countPosts = (count: number) => (count === 1 ? 'a post' : `${count.toLocaleString('en')} posts`)

const TEXTS: Record<ModerationAction, (count: number) => string> = {
  delete: (count) => `deleted ${countPosts(count)}`,
  'delete-image': () => 'deleted the picture of a post',
  spoiler: () => 'covered a picture',
  unspoiler: () => 'uncovered a picture',
  lock: () => 'locked a thread',
  unlock: () => 'unlocked a thread',
  pin: () => 'pinned a thread',
  unpin: () => 'unpinned a thread',
  'delete-by-poster': (count) => `deleted ${countPosts(count)} by one poster`,
  ban: () => 'banned a poster',
  'lift-ban': () => 'lifted a ban',
  restore: (count) => `restored ${countPosts(count)}`,
  takedown: () => 'took down an item',
  approve: (count) => `approved ${countPosts(count)} held for review`,
  refuse: (count) => `refused ${countPosts(count)} held for review`,
  'switch-on': () => 'turned a restriction on',
  'switch-off': () => 'turned a restriction off',
}

export const describeAction = ({ action, count }: Pick<LogEntryView, 'action' | 'count'>): string =>
  TEXTS[action](count)
