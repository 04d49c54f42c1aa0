import { boardMessages } from '#src/contract/board.ts'
import { commentForm, threadForm } from '#src/contract/boardForms.ts'

/** What is about to be written, and where. */
export type PostPlace =
  | { kind: 'thread'; boardId: string }
  | { kind: 'comment'; boardId: string; threadId: number }
  | { kind: 'reply'; boardId: string; threadId: number; commentId: number; author: string }

/** Address of the call that takes the post; every place has its own. */
export function callPath(place: PostPlace): string {
  const threads = `/api/dtpchan/boards/${encodeURIComponent(place.boardId)}/threads`
  if (place.kind === 'thread') return threads
  const comments = `${threads}/${place.threadId}/comments`
  return place.kind === 'comment' ? comments : `${comments}/${place.commentId}/replies`
}

/** What a place says, and the form it takes. */
export const placeTexts = {
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
