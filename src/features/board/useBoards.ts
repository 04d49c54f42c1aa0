import type { BoardView } from '#src/contract/board.ts'
import { useLive } from '#src/lib/live.ts'
import { useShown } from '#src/lib/shown.ts'
import { useThrottled } from '#src/lib/throttle.ts'
import { trpc } from '#src/lib/trpc.ts'

/** The boards, following what is made and deleted. */
export function useBoards({ boards: initial, lastEventId }: { boards: BoardView[]; lastEventId: string }) {
  const {
    data: boards,
    change,
    reread,
  } = useShown({
    version: lastEventId,
    initial,
    read: async () => (await (await trpc()).board.list.query()).boards,
    merge: (_shown, read) => read,
  })

  const rereadSoon = useThrottled(reread)

  useLive({ topics: ['boards'], lastEventId, onEvent: rereadSoon, onStale: rereadSoon })

  return {
    boards,
    append: (made: BoardView) => change((known) => [...known.filter((board) => board.id !== made.id), made]),
    remove: (boardId: string) => change((known) => known.filter((board) => board.id !== boardId)),
  }
}
