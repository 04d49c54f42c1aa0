import type { BoardView } from '#src/contract/board.ts'
import { useLive } from '#src/lib/live.ts'
import { usePageQuery } from '#src/lib/pageQuery.ts'
import { useThrottled } from '#src/lib/throttle.ts'
import { trpc } from '#src/lib/trpc.ts'

/** The list of boards, kept current by events. */
export function useBoards({ boards: initialData, lastEventId }: { boards: BoardView[]; lastEventId: string }) {
  const { data, update, refetch } = usePageQuery({
    queryKey: ['boards', lastEventId],
    queryFn: async () => (await (await trpc()).board.list.query()).boards,
    initialData,
  })
  const refetchSoon = useThrottled(refetch)

  useLive({ topics: ['boards'], lastEventId, onEvent: refetchSoon, onStale: refetchSoon })

  return {
    boards: data,
    append: (created: BoardView) => update((boards) => [...boards.filter(({ id }) => id !== created.id), created]),
    remove: (boardId: string) => update((boards) => boards.filter(({ id }) => id !== boardId)),
  }
}
