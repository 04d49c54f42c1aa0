import { moderationLimits } from '#src/contract/moderation.ts'
import { forgetOwnPost } from '#src/features/board/writing/ownPosts.ts'
import { t } from '#src/i18n/t.ts'
import { trpc } from '#src/lib/trpc.ts'
import type { Deletion } from '#src/ui/DeleteDialog.tsx'
import type { ControlledPost } from './controlStores.ts'

type DeletedPost = Pick<ControlledPost, 'boardId' | 'threadId' | 'id'> & { commentId?: number | undefined }

/** Describes a deletion by a moderator, or with a token by the post's author. */
export function deletionOf(post: DeletedPost, token: string | undefined): Deletion {
  const { id, threadId, commentId } = post
  const kind = id === threadId ? 'thread' : commentId === undefined ? 'comment' : 'reply'
  const end =
    token === undefined ? t('board.canRestore', { days: moderationLimits.restoreDays }) : t('board.cannotUndo')
  return {
    title: t('board.deletePostTitle', { kind, id }),
    text: `${token === undefined ? t('board.deletePostText', { kind }) : t('board.deleteOwnText', { kind })} ${end}`,
    failed: t('board.deletePostFailed', { kind }),
    done: t('board.postDeleted', { kind }),
    ...(token === undefined
      ? { reasonHint: t('ui.reasonOptionalHint'), run: (reason) => deleteAsModerator(post, reason) }
      : { run: () => deleteAsAuthor(post, token) }),
  }
}

async function deleteAsModerator({ boardId, id }: DeletedPost, reason: string) {
  return (await trpc()).moderation.act.mutate({ boardId, postId: id, action: 'delete', reason })
}

async function deleteAsAuthor({ boardId, threadId, commentId, id }: DeletedPost, deleteToken: string) {
  const { board } = await trpc()
  const ids = { boardId, threadId: String(threadId), deleteToken }
  if (id === threadId) await board.deleteThread.mutate(ids)
  else if (commentId === undefined) await board.deleteComment.mutate({ ...ids, commentId: String(id) })
  else await board.deleteReply.mutate({ ...ids, commentId: String(commentId), replyId: String(id) })
  forgetOwnPost(id)
}
