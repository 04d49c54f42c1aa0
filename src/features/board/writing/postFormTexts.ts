import { t } from '#src/i18n/t.ts'

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
