import { type CommentView, type PostRef, type PostView, picturesOf } from '#src/contract/post.ts'
import type { ThreadView } from '#src/contract/thread.ts'

/** Posts cannot contain NUL, because the contract rejects it in texts. */
const SEPARATOR = '\0'

const postKey = (post: PostView): string => {
  const { id, author, content, createdAt, spoiler, links, quotes, quotedBy, highlights, cards, deleted } = post
  return [
    `${id} ${createdAt.getTime()} ${picturesOf(post).map(({ url }) => url)} ${spoiler} ${placesOf(quotes)} ${placesOf(quotedBy)} ${JSON.stringify([highlights, cards, deleted, post.capcode, post.note])}`,
    `${post.tripcode} ${post.posterLabel} ${post.sage} ${author}`,
    content,
    ...links,
  ].join(SEPARATOR)
}

const placesOf = (posts: PostRef[]) => posts.map(({ id, threadId, boardId }) => `${boardId}/${threadId}/${id}`).join()

/** Returns the key of a comment's HTML. The key must contain all shown data, or MemoizedList shows old HTML. */
export const commentKey = (
  { id, locked, archived }: Pick<ThreadView, 'id' | 'locked' | 'archived'>,
  comment: CommentView,
): string => `${id} ${locked} ${archived} ${[comment, ...comment.replies].map(postKey).join(SEPARATOR + SEPARATOR)}`
