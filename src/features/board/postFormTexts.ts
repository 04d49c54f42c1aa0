import { boardMessages } from '#src/contract/board.ts'
import { commentForm, threadForm } from '#src/contract/boardForms.ts'

export const postFormTexts = {
  thread: {
    title: 'Create Thread',
    submit: 'Create Thread',
    done: 'Thread created',
    failed: boardMessages.createThread,
    form: threadForm,
  },
  comment: {
    title: 'Add Comment',
    submit: 'Post Comment',
    done: 'Comment posted',
    failed: boardMessages.createComment,
    form: commentForm,
  },
  reply: {
    title: 'Reply to Comment',
    submit: 'Post Reply',
    done: 'Reply posted',
    failed: boardMessages.createReply,
    form: commentForm,
  },
} as const
