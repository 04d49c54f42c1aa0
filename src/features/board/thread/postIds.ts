import type { ThreadView } from '#src/contract/thread.ts'

export const postIds = (thread: ThreadView): number[] => [
  thread.id,
  ...thread.comments.flatMap((comment) => [comment.id, ...comment.replies.map((reply) => reply.id)]),
]
