import { type BoardPage, reviveBoardDate } from '#src/contract/board.ts'
import { boardDataPath } from '#src/contract/boardPaths.ts'
import { usePageQuery } from '#src/lib/pageQuery.ts'
import { useEvents } from '#src/lib/useEvents.ts'
import { type BoardList, mergeList, removeThread, showNewThreads } from './boardList.ts'

type BoardData = BoardList & { isDeleted: boolean }

export function useBoard(initial: BoardPage, cursor: string | undefined) {
  const boardId = initial.board.id
  const initialData: BoardData = { ...initial, newThreads: [], isDeleted: false }

  const { data, update, refetch } = usePageQuery({
    queryKey: ['board', boardId, cursor, initial.lastEventId],
    queryFn: async ({ client, queryKey }) => {
      const fetched = await fetchBoard(boardId, cursor)
      const current = client.getQueryData<BoardData>(queryKey) ?? initialData
      return fetched ? mergeList(current, fetched, cursor === undefined) : { ...current, isDeleted: true }
    },
    initialData,
  })

  useEvents({
    topics: [`board:${boardId}`, 'boards'],
    lastEventId: initial.lastEventId,
    onEvent: ({ change }, refetchSoon) => {
      if (change.kind === 'board-gone' && change.boardId === boardId) {
        void update((board) => ({ ...board, isDeleted: true }))
      } else if (change.kind === 'thread-gone') void update((board) => removeThread(board, change.threadId))
      else if (change.kind === 'thread') refetchSoon()
    },
    refetch,
  })

  return {
    ...data,
    showNewThreads: () => update(showNewThreads),
    remove: (threadId: number) => update((board) => removeThread(board, threadId)),
    /** Refetches the page after the visitor posted, and shows all new threads. */
    reload: async () => {
      await refetch()
      await update(showNewThreads)
    },
  }
}

/** Returns null if the board was deleted. */
async function fetchBoard(boardId: string, cursor: string | undefined): Promise<BoardPage | null> {
  const response = await fetch(boardDataPath(boardId, cursor))
  if (response.status === 404) return null
  if (!response.ok) throw new Error(`Cannot load the board: status ${response.status}`)
  return JSON.parse(await response.text(), reviveBoardDate)
}
