export const boardPath = (boardId: string) => `/dtpchan/board/${encodeURIComponent(boardId)}`

export const olderPath = (boardId: string, cursor: string) =>
  `${boardPath(boardId)}?cursor=${encodeURIComponent(cursor)}`

export const catalogPath = (boardId: string) => `${boardPath(boardId)}/catalog`

export const catalogDataPath = (boardId: string) => `${boardPath(boardId)}/catalog.json`

/** The page with the threads of all boards. */
export const OVERBOARD_PATH = '/dtpchan/all'

export const overboardPath = (cursor?: string) =>
  cursor === undefined ? OVERBOARD_PATH : `${OVERBOARD_PATH}?cursor=${encodeURIComponent(cursor)}`

export const archivePath = (boardId: string, cursor?: string) =>
  `${boardPath(boardId)}/archive${cursor === undefined ? '' : `?cursor=${encodeURIComponent(cursor)}`}`

export const threadPath = (boardId: string, threadId: number) => `${boardPath(boardId)}/thread/${threadId}`

/** The image that link previews of a thread show. */
export const threadCardPath = (boardId: string, threadId: number) => `${threadPath(boardId, threadId)}/preview.jpg`

type PostPlace = { boardId: string; threadId?: number | string; commentId?: number | string }

/**
 * Returns the page with the form of a new thread, a comment in a thread, or a reply to a comment.
 * @param quote the reply that the new reply answers, if it does not answer the comment itself
 */
export function postFormPath({ boardId, threadId, commentId }: PostPlace, quote?: number): string {
  let path = `${boardPath(boardId)}/post`
  if (threadId !== undefined) path += `?thread=${encodeURIComponent(threadId)}`
  const answered = quote ?? commentId
  return answered === undefined ? path : `${path}&comment=${encodeURIComponent(answered)}`
}

export const boardDataPath = (boardId: string, cursor?: string) =>
  `${boardPath(boardId)}/page.json${cursor === undefined ? '' : `?cursor=${encodeURIComponent(cursor)}`}`
