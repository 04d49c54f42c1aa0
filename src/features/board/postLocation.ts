/** What is about to be written, and where. */
export type PostLocation =
  | { kind: 'thread'; boardId: string }
  | { kind: 'comment'; boardId: string; threadId: number }
  | { kind: 'reply'; boardId: string; threadId: number; commentId: number; author: string }

/** Address of the call that takes the post; every place has its own. */
export function postUrl(place: PostLocation): string {
  const threads = `/api/dtpchan/boards/${encodeURIComponent(place.boardId)}/threads`
  if (place.kind === 'thread') return threads
  const comments = `${threads}/${place.threadId}/comments`
  return place.kind === 'comment' ? comments : `${comments}/${place.commentId}/replies`
}
