import type { AuthUser } from '#src/contract/auth.ts'
import type { BoardView } from '#src/contract/board.ts'

/** Whether the page offers to delete what is on a board; the server decides anew. */
export const mayModerate = (user: AuthUser | null, board: BoardView) =>
  user !== null && (user.role === 'admin' || board.moderators.includes(user.email))
