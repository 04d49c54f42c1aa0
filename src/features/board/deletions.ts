import { type BoardView, boardMessages } from '#src/contract/board.ts'
import { trpc } from '#src/lib/trpc.ts'

type Place = { boardId: string; threadId: number }

export type Target =
  | { kind: 'board'; board: BoardView }
  | ({ kind: 'thread' } & Place)
  | ({ kind: 'comment'; commentId: number } & Place)
  | ({ kind: 'reply'; commentId: number; replyId: number } & Place)

type Deletion = {
  title: string
  text: string
  /** used when the server gives no reason */
  failed: string
  done: string
  run: () => Promise<unknown>
}

export function describeDeletion(target: Target): Deletion {
  if (target.kind === 'board') {
    const { id } = target.board
    return {
      title: `Delete /${id}/?`,
      text: 'The board and all its threads, comments and images will be deleted for good.',
      failed: boardMessages.deleteBoard,
      done: 'Board deleted',
      run: async () => (await trpc()).board.delete.mutate({ boardId: id }),
    }
  }
  const { boardId } = target
  const threadId = String(target.threadId)
  if (target.kind === 'thread') {
    return {
      title: `Delete thread No. ${threadId}?`,
      text: 'The thread with all its comments and images will be deleted for good.',
      failed: boardMessages.deleteThread,
      done: 'Thread deleted',
      run: async () => (await trpc()).board.deleteThread.mutate({ boardId, threadId }),
    }
  }
  const commentId = String(target.commentId)
  if (target.kind === 'comment') {
    return {
      title: `Delete comment No. ${commentId}?`,
      text: 'The comment with its replies and images will be deleted for good.',
      failed: boardMessages.deleteComment,
      done: 'Comment deleted',
      run: async () => (await trpc()).board.deleteComment.mutate({ boardId, threadId, commentId }),
    }
  }
  const replyId = String(target.replyId)
  return {
    title: `Delete reply No. ${replyId}?`,
    text: 'The reply and its image will be deleted for good.',
    failed: boardMessages.deleteReply,
    done: 'Reply deleted',
    run: async () => (await trpc()).board.deleteReply.mutate({ boardId, threadId, commentId, replyId }),
  }
}
