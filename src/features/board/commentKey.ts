import type { CommentView, PostRef, PostView } from '#src/contract/board.ts'

/** Stands in no text of a post: the database takes none that has it. */
const APART = '\0'

/** All that the HTML of a post among others says. */
const postKey = ({ id, author, content, createdAt, picture, links, quotes, quotedBy }: PostView): string =>
  [
    `${id} ${createdAt.getTime()} ${picture?.url} ${placesOf(quotes)} ${placesOf(quotedBy)}`,
    author,
    content,
    ...links,
  ].join(APART)

const placesOf = (posts: PostRef[]) => posts.map(({ id, threadId, boardId }) => `${boardId}/${threadId}/${id}`).join()

/** All that a comment's HTML says, with its replies. */
export const commentKey = (threadId: number, comment: CommentView): string =>
  `comment of ${threadId} ${[comment, ...comment.replies].map(postKey).join(APART + APART)}`
