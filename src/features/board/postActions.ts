import type { CommentView, PostView } from '#src/contract/board.ts'

/** Actions on a thread page. The object must rarely change: each change re-renders all memoized comments. */
export type PostActions = {
  /** undefined after the thread was deleted */
  comment?: () => void
  reply?: (to: CommentView, quoted?: PostView) => void
  /** only for moderators */
  deleteThread?: () => void
  deleteComment?: (comment: CommentView) => void
  deleteReply?: (comment: CommentView, reply: PostView) => void
}

export type PostHighlights = { linkedId: number | null; newIds: ReadonlySet<number> }
