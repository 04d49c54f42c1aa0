import { type BoardView, boardMessages } from '#src/contract/board.ts'
import { trpc } from '#src/lib/trpc.ts'
import type { Deletion } from './DeleteDialog.tsx'

type Place = { boardId: string; threadId: number }

/** Deletion of a board, to be confirmed. */
export const boardDeletion = (board: BoardView, after: () => void): Deletion => ({
  title: `Delete /${board.id}/?`,
  text: 'The board and all its threads, comments and images will be deleted for good.',
  failed: boardMessages.deleteBoard,
  done: 'Board deleted',
  run: () => trpc.board.delete.mutate({ boardId: board.id }),
  after,
})

/** Deletion of a thread, to be confirmed. */
export const threadDeletion = ({ boardId, threadId }: Place, after: () => void): Deletion => ({
  title: `Delete thread No. ${threadId}?`,
  text: 'The thread with all its comments and images will be deleted for good.',
  failed: boardMessages.deleteThread,
  done: 'Thread deleted',
  run: () => trpc.board.deleteThread.mutate({ boardId, threadId: String(threadId) }),
  after,
})

/** Deletion of a comment, to be confirmed. */
export const commentDeletion = ({ boardId, threadId }: Place, commentId: number, after: () => void): Deletion => ({
  title: `Delete comment No. ${commentId}?`,
  text: 'The comment with its replies and images will be deleted for good.',
  failed: boardMessages.deleteComment,
  done: 'Comment deleted',
  run: () => trpc.board.deleteComment.mutate({ boardId, threadId: String(threadId), commentId: String(commentId) }),
  after,
})

/** Deletion of a reply, to be confirmed. */
export const replyDeletion = (
  { boardId, threadId }: Place,
  { commentId, replyId }: { commentId: number; replyId: number },
  after: () => void,
): Deletion => ({
  title: `Delete reply No. ${replyId}?`,
  text: 'The reply and its image will be deleted for good.',
  failed: boardMessages.deleteReply,
  done: 'Reply deleted',
  run: () =>
    trpc.board.deleteReply.mutate({
      boardId,
      threadId: String(threadId),
      commentId: String(commentId),
      replyId: String(replyId),
    }),
  after,
})
