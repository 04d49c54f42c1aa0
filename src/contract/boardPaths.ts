export const boardPath = (boardId: string) => `/dtpchan/board/${encodeURIComponent(boardId)}`

export const olderPath = (boardId: string, cursor: string) =>
  `${boardPath(boardId)}?cursor=${encodeURIComponent(cursor)}`

export const threadPath = (boardId: string, threadId: number) => `${boardPath(boardId)}/thread/${threadId}`

/** The image that link previews of a thread show. */
export const threadCardPath = (boardId: string, threadId: number) => `${threadPath(boardId, threadId)}/preview.jpg`

export const feedPath = (path: string) => `${path}/feed.atom`

export const boardDataPath = (boardId: string, cursor?: string) =>
  `${boardPath(boardId)}/page.json${cursor === undefined ? '' : `?cursor=${encodeURIComponent(cursor)}`}`
