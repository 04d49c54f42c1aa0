import { boardMessages } from '#src/contract/board.ts'
import { trpc } from '#src/lib/trpc.ts'
import type { Deletion } from '#src/ui/DeleteDialog.tsx'

type BoardIds = { boardId: string }
type ThreadIds = BoardIds & { threadId: number }
type CommentIds = ThreadIds & { commentId: number }
type ReplyIds = CommentIds & { replyId: number }

export const deleteBoard = (ids: BoardIds): Deletion => ({
  title: `Delete /${ids.boardId}/?`,
  text: 'The board and all its threads, comments and images will be deleted for good.',
  failed: boardMessages.deleteBoard,
  done: 'Board deleted',
  run: async () => (await trpc()).board.delete.mutate(ids),
})

export const deleteThread = (ids: ThreadIds): Deletion => ({
  title: `Delete thread No. ${ids.threadId}?`,
  text: 'The thread with all its comments and images will be deleted for good.',
  failed: boardMessages.deleteThread,
  done: 'Thread deleted',
  run: async () => (await trpc()).board.deleteThread.mutate(ids),
})

export const deleteComment = (ids: CommentIds): Deletion => ({
  title: `Delete comment No. ${ids.commentId}?`,
  text: 'The comment with its replies and images will be deleted for good.',
  failed: boardMessages.deleteComment,
  done: 'Comment deleted',
  run: async () => (await trpc()).board.deleteComment.mutate(ids),
})

export const deleteReply = (ids: ReplyIds): Deletion => ({
  title: `Delete reply No. ${ids.replyId}?`,
  text: 'The reply and its image will be deleted for good.',
  failed: boardMessages.deleteReply,
  done: 'Reply deleted',
  run: async () => (await trpc()).board.deleteReply.mutate(ids),
})
