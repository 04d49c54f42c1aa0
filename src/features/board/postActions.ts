import type { CommentView, PostView } from '#src/contract/board.ts'

/** Actions on a thread page. The object rarely changes, because each change re-renders all memoized comments. */
export type PostActions = {
  /** missing once the thread is deleted */
  comment?: () => void
  reply?: (to: CommentView, quoted?: PostView) => void
  /** for moderators */
  deleteThread?: () => void
  deleteComment?: (comment: CommentView) => void
  deleteReply?: (comment: CommentView, reply: PostView) => void
}

export type PostHighlights = { linkedId: number | null; newIds: ReadonlySet<number> }
