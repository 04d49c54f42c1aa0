/** Address of a board's page. */
export const boardPath = (boardId: string) => `/dtpchan/board/${encodeURIComponent(boardId)}`

/** Address of a thread's page. */
export const threadPath = (boardId: string, threadId: number) => `${boardPath(boardId)}/thread/${threadId}`
