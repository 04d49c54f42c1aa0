export type { ReportedContent, ReportedItem } from './reportAnswers.ts'

export const reportLimits = { url: 2000, text: 2000, reason: 200 } as const

export const reportMessages = {
  url: 'Enter the URL of what you report',
  foreign: 'This URL is not on this site',
  unknown: 'Only posts, pastes, shared images and programs can be reported. Enter the URL of one of them.',
  notFound: 'There is nothing at this URL. It may have been deleted.',
  noPost: 'The thread has no post with this number',
  postNumber: 'The post number must be a whole number',
  reason: 'Choose a reason',
  text: 'The text cannot be read',
  closed: 'This report is already closed',
  notAllowed: 'Only admins may do this, and moderators for posts on their boards',
  takenDown: 'This was taken down',
} as const

/** Decisions of moderators on a reported item. */
export const REPORT_ACTIONS = ['dismiss', 'delete', 'take-down'] as const
export type ReportAction = (typeof REPORT_ACTIONS)[number]
