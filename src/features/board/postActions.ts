import type { CommentView, PostView } from '#src/contract/board.ts'

/** Actions on a thread's page. The object changes only with the session, so that memoized comments stay valid. */
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
