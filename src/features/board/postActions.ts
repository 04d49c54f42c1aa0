import type { CommentView, PostView } from '#src/contract/board.ts'

/** What a reader can do on a thread's page; the parts stay the same as long as the reader does. */
export type PostActions = {
  /** missing once the thread is gone */
  comment?: () => void
  reply?: (to: CommentView, quoted?: PostView) => void
  /** there for moderators only */
  deleteThread?: () => void
  deleteComment?: (comment: CommentView) => void
  deleteReply?: (comment: CommentView, reply: PostView) => void
}

/** How a post stands out: the address points at it, or it came while the page was shown. */
export type PostHighlights = { marked: number | null; fresh: ReadonlySet<number> }
