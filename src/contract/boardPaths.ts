export const boardPath = (boardId: string) => `/dtpchan/board/${encodeURIComponent(boardId)}`

/** Path of the board page after a cursor. */
export const olderPath = (boardId: string, cursor: string) =>
  `${boardPath(boardId)}?cursor=${encodeURIComponent(cursor)}`

export const threadPath = (boardId: string, threadId: number) => `${boardPath(boardId)}/thread/${threadId}`

/** Path of the Atom feed of a board or a thread. @param path path of its page */
export const feedPath = (path: string) => `${path}/feed.atom`

/** Path of the JSON data of a board page, which an open page reloads. */
export const boardDataPath = (boardId: string, cursor?: string) =>
  `${boardPath(boardId)}/page.json${cursor === undefined ? '' : `?cursor=${encodeURIComponent(cursor)}`}`
