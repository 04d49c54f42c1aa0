import type { BoardView } from '#src/contract/board.ts'
import type { AuthUser } from '#src/contract/user.ts'

/** Whether the page offers to delete what is on a board; the server decides anew. */
export const mayModerate = (user: AuthUser | null, board: BoardView) =>
  user !== null && (user.role === 'admin' || board.moderators.includes(user.email))
