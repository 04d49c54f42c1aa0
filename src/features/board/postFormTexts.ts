import { commentForm, threadForm } from '#src/contract/boardForms.ts'
import { boardFormMessages } from '#src/contract/boardFormTexts.ts'

export const postFormTexts = {
  thread: {
    title: 'Create Thread',
    submit: 'Create Thread',
    done: 'Thread created',
    failed: boardFormMessages.createThread,
    form: threadForm,
  },
  comment: {
    title: 'Add Comment',
    submit: 'Post Comment',
    done: 'Comment posted',
    failed: boardFormMessages.createComment,
    form: commentForm,
  },
  reply: {
    title: 'Reply to Comment',
    submit: 'Post Reply',
    done: 'Reply posted',
    failed: boardFormMessages.createReply,
    form: commentForm,
  },
} as const
