import { useEffect, useState } from 'react'
import type { AuthUser } from '#src/contract/auth.ts'
import { canModerate } from '#src/contract/board.ts'
import { trpc } from '#src/lib/trpc.ts'

/** Returns a function that tells whether the user may moderate a board, or the whole site for `null`. */
export function useModeratedBoards(user: AuthUser | null): (boardId: string | null) => boolean {
  const [boardIds, setBoardIds] = useState<string[]>([])
  const member = user?.role === 'member' ? user : null

  useEffect(() => {
    if (!member) return
    let isCurrent = true
    const load = async () => {
      const { boards } = await (await trpc()).board.list.query()
      if (isCurrent) setBoardIds(boards.filter((board) => canModerate(member, board)).map(({ id }) => id))
    }
    // Without the list, the page works as for visitors.
    load().catch(() => {})
    return () => {
      isCurrent = false
    }
  }, [member])

  return (boardId) => user?.role === 'admin' || (member !== null && boardId !== null && boardIds.includes(boardId))
}
