import type { PostView } from '#src/contract/post.ts'
import { rich, t } from '#src/i18n/t.ts'
import { Nick } from '#src/ui/Nick.tsx'

export const postFormTexts = {
  thread: () => ({
    title: t('board.createThread'),
    submit: t('board.createThread'),
    done: t('board.threadCreated'),
    failed: t('board.createThreadFailed'),
  }),
  comment: () => ({
    title: t('board.addComment'),
    submit: t('board.postComment'),
    done: t('board.commentPosted'),
    failed: t('board.createCommentFailed'),
  }),
  reply: () => ({
    title: t('board.replyToComment'),
    submit: t('board.postReply'),
    done: t('board.replyPosted'),
    failed: t('board.createReplyFailed'),
  }),
}

/** Names the post that a form answers. `author` is empty if the author deleted the post. */
export const NumberBy = ({ id, author }: Pick<PostView, 'id' | 'author'>) =>
  author === ''
    ? t('board.deletedPost', { id })
    : rich('board.numberBy', { id, name: author, nick: () => <Nick name={author} /> })
