/** Address of a board's page. */
export const boardPath = (boardId: string) => `/dtpchan/board/${encodeURIComponent(boardId)}`

/** Address of a board's page that goes on behind a cursor. */
export const olderPath = (boardId: string, cursor: string) =>
  `${boardPath(boardId)}?cursor=${encodeURIComponent(cursor)}`

/** Address of a thread's page. */
export const threadPath = (boardId: string, threadId: number) => `${boardPath(boardId)}/thread/${threadId}`

/** Address of the Atom feed of a board's or a thread's page. */
export const feedPath = (path: string) => `${path}/feed.atom`

/** Address of what a board's page shows, as JSON, for a page that is open. */
export const boardDataPath = (boardId: string, cursor?: string) =>
  `${boardPath(boardId)}/page.json${cursor === undefined ? '' : `?cursor=${encodeURIComponent(cursor)}`}`
