import { HIDDEN_BOARDS_KEY } from '#src/contract/board.ts'
import { createStoredStore } from '#src/lib/storedStore.ts'

/** Ids of the boards that this browser hides on the page with the threads of all boards. */
export const hiddenBoards = createStoredStore(
  HIDDEN_BOARDS_KEY,
  (stored): string[] => (Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : []),
  (ids) => (ids.length > 0 ? ids : null),
)

export const toggleHiddenBoard = (boardId: string): void =>
  hiddenBoards.change((ids) => (ids.includes(boardId) ? ids.filter((id) => id !== boardId) : [...ids, boardId]))
