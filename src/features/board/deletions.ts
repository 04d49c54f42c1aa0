import { boardMessages } from '#src/contract/board.ts'
import { trpc } from '#src/lib/trpc.ts'
import type { Deletion } from '#src/ui/DeleteDialog.tsx'
import type { ControlledPost } from './postActions.ts'

export function deletionOf({ kind, boardId, threadId, commentId, id }: ControlledPost): Deletion {
  const ids = { boardId, threadId }
  if (kind === 'thread') {
    return {
      title: `Delete thread No. ${id}?`,
      text: 'The thread with all its comments and images will be deleted for good.',
      failed: boardMessages.deleteThread,
      done: 'Thread deleted',
      run: async () => (await trpc()).board.deleteThread.mutate(ids),
    }
  }
  if (kind === 'comment') {
    return {
      title: `Delete comment No. ${id}?`,
      text: 'The comment with its replies and images will be deleted for good.',
      failed: boardMessages.deleteComment,
      done: 'Comment deleted',
      run: async () => (await trpc()).board.deleteComment.mutate({ ...ids, commentId: id }),
    }
  }
  return {
    title: `Delete reply No. ${id}?`,
    text: 'The reply and its image will be deleted for good.',
    failed: boardMessages.deleteReply,
    done: 'Reply deleted',
    run: async () => (await trpc()).board.deleteReply.mutate({ ...ids, commentId: commentId ?? 0, replyId: id }),
  }
}
