import type { PostView } from './board.ts'
import type { ImageShareView } from './image.ts'
import type { ItemKind, ReportReason } from './moderation.ts'
import type { PasteFlags } from './paste.ts'
import type { PostContext } from './postContext.ts'
import type { ProgramView } from './program.ts'

export const reportLimits = { url: 2000, text: 2000, reason: 200 } as const

/** Shown in this order. */
export const reportReasons: Record<ReportReason, string> = {
  illegal: 'Illegal content',
  personal: 'Personal data',
  harassment: 'Harassment or threats',
  spam: 'Spam or advertising',
  'off-topic': 'Off topic here',
  other: 'Something else',
}

export const reportMessages = {
  url: 'Enter the URL of what you report',
  foreign: 'This URL is not on this site',
  unknown: 'Only posts, pastes, shared images and programs can be reported. Enter the URL of one of them.',
  notFound: 'There is nothing at this URL. It may have been deleted.',
  noPost: 'The thread has no post with this number',
  postNumber: 'The post number must be a whole number',
  reason: 'Choose a reason',
  text: 'The text cannot be read',
  sent: 'Your report was sent. A moderator will look at it.',
  send: 'Failed to send the report',
  act: 'Failed to do this. Please try again.',
  closed: 'This report is already closed',
  notAllowed: 'Only admins may do this, and moderators for posts on their boards',
  takenDown: 'This was taken down',
} as const

/** What moderators do with a reported item. */
export const REPORT_ACTIONS = ['dismiss', 'delete', 'take-down'] as const
export type ReportAction = (typeof REPORT_ACTIONS)[number]

/** The reported item as it is now; null if it does not exist any more. */
export type ReportedContent =
  | {
      kind: 'post'
      boardId: string
      threadId: number
      /** null if the thread was deleted */
      title: string | null
      post: PostView
      context: PostContext | null
      /** the post was removed, but can still be restored or taken down */
      isRemoved: boolean
    }
  | {
      kind: 'paste'
      /** the start of the text; null if the paste was encrypted in a browser */
      text: string | null
      isTruncated: boolean
      bytes: number
      flags: PasteFlags
      createdAt: Date
      expiresAt: Date
    }
  | { kind: 'image'; share: ImageShareView }
  | { kind: 'program'; program: ProgramView }
  | null

export type ReportedItem = {
  kind: ItemKind
  /** the oldest open report of the item; names the item in `moderation.resolve` */
  reportId: number
  boardId: string | null
  /** short name of the poster; null if the site does not know where the item came from */
  label: string | null
  /** path of the item on this site; null if unknown */
  path: string | null
  /** number of open reports */
  count: number
  /** the oldest open reports, at most ten */
  reports: { id: number; reason: ReportReason; text: string; createdAt: Date }[]
  content: ReportedContent
}
