import { boardFormMessages } from '#src/contract/boardFormTexts.ts'
import { moderationLimits } from '#src/contract/moderation.ts'
import { trpc } from '#src/lib/trpc.ts'
import type { Deletion } from '#src/ui/DeleteDialog.tsx'
import type { ControlledPost } from './postActions.ts'

const CONTENT = {
  thread: {
    whole: 'The thread with all its comments and images',
    failed: boardFormMessages.deleteThread,
    done: 'Thread deleted',
  },
  comment: {
    whole: 'The comment with its replies and images',
    failed: boardFormMessages.deleteComment,
    done: 'Comment deleted',
  },
  reply: { whole: 'The reply and its image', failed: boardFormMessages.deleteReply, done: 'Reply deleted' },
}

type DeletedPost = Omit<ControlledPost, 'state'>

/** Describes a deletion by a moderator, or with a token by the post's author. */
export function deletionOf(post: DeletedPost, token: string | undefined): Deletion {
  const { kind, id } = post
  const { whole, failed, done } = CONTENT[kind]
  const end =
    token === undefined ? `The log can restore it for ${moderationLimits.restoreDays} days.` : 'You cannot undo this.'
  return {
    title: `Delete ${kind} No. ${id}?`,
    text: `${whole} will be deleted. ${end}`,
    failed,
    done,
    ...(token === undefined
      ? { reasonHint: 'Optional. Shown in the public log.', run: (reason) => deleteAsModerator(post, reason) }
      : { run: () => deleteAsAuthor(post, token) }),
  }
}

async function deleteAsModerator({ boardId, id }: DeletedPost, reason: string) {
  return (await trpc()).moderation.act.mutate({ boardId, postId: id, action: 'delete', reason })
}

async function deleteAsAuthor({ kind, boardId, threadId, commentId, id }: DeletedPost, deleteToken: string) {
  const { board } = await trpc()
  const ids = { boardId, threadId: String(threadId), deleteToken }
  if (kind === 'thread') return board.deleteThread.mutate(ids)
  if (kind === 'comment') return board.deleteComment.mutate({ ...ids, commentId: String(id) })
  return board.deleteReply.mutate({ ...ids, commentId: String(commentId), replyId: String(id) })
}
