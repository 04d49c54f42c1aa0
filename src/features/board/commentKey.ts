import type { CommentView, PostRef, PostView } from '#src/contract/board.ts'

/** No post contains NUL, because the contract refuses it in texts. */
const SEPARATOR = '\0'

const postKey = ({ id, author, content, createdAt, picture, links, quotes, quotedBy }: PostView): string =>
  [
    `${id} ${createdAt.getTime()} ${picture?.url} ${placesOf(quotes)} ${placesOf(quotedBy)}`,
    author,
    content,
    ...links,
  ].join(SEPARATOR)

const placesOf = (posts: PostRef[]) => posts.map(({ id, threadId, boardId }) => `${boardId}/${threadId}/${id}`).join()

/** Identifies the HTML of a comment and its replies: must contain all data it shows, or MemoizedList shows old HTML. */
export const commentKey = (threadId: number, comment: CommentView): string =>
  `comment of ${threadId} ${[comment, ...comment.replies].map(postKey).join(SEPARATOR + SEPARATOR)}`
