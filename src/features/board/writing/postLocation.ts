export type PostLocation =
  | { kind: 'thread'; boardId: string }
  | { kind: 'comment'; boardId: string; threadId: number }
  | { kind: 'reply'; boardId: string; threadId: number; commentId: number; author: string }

/** Returns the location of a comment on the thread instead of a reply to one of its comments. */
export const threadOf = (location: PostLocation): Exclude<PostLocation, { kind: 'reply' }> =>
  location.kind === 'reply' ? { kind: 'comment', boardId: location.boardId, threadId: location.threadId } : location

export function postUrl(location: PostLocation): string {
  const threads = `/api/dtpchan/boards/${encodeURIComponent(location.boardId)}/threads`
  if (location.kind === 'thread') return threads
  const comments = `${threads}/${location.threadId}/comments`
  return location.kind === 'comment' ? comments : `${comments}/${location.commentId}/replies`
}

/** A thread keeps its draft when it moves to another board. */
export const draftKey = (location: PostLocation): string =>
  `draft:${location.kind === 'thread' ? postUrl(location) : location.threadId}`
