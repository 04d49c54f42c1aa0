import { HIDDEN_BOARDS_KEY } from '#src/contract/board.ts'
import { followStored, readStored, writeStored } from '#src/lib/storage.ts'
import { createStore } from '#src/lib/store.ts'

function readHidden(): string[] {
  const stored = readStored(HIDDEN_BOARDS_KEY)
  return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : []
}

/** Ids of the boards that this browser hides on the page with the threads of all boards. */
export const hiddenBoards = createStore<string[]>([], readHidden())

/** Learns what other tabs hide. Returns a function that ends this. */
export const followHiddenBoards = (): (() => void) =>
  followStored(HIDDEN_BOARDS_KEY, () => hiddenBoards.set(readHidden()))

export function toggleHiddenBoard(boardId: string): void {
  // Reads the list again, because another tab may have changed it.
  const stored = readHidden()
  const hidden = stored.includes(boardId) ? stored.filter((id) => id !== boardId) : [...stored, boardId]
  writeStored(HIDDEN_BOARDS_KEY, hidden.length > 0 ? hidden : null)
  hiddenBoards.set(hidden)
}
