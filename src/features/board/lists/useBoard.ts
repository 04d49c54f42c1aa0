import type { BoardPage, CatalogThread, ListedThread } from '#src/contract/thread.ts'
import { reviveBoardDate } from '#src/lib/packedThread.ts'
import { usePageQuery } from '#src/lib/pageQuery.ts'
import { useEvents } from '#src/lib/useEvents.ts'
import { type BoardList, mergeList, removeThread, showNewThreads } from './boardList.ts'

type BoardData<Thread extends ListedThread | CatalogThread> = BoardList<Thread> & { isDeleted: boolean }
/** `path` is the URL of the page's data as JSON, `max` the number of threads that the page shows. */
type Source = { path: string; isFirst: boolean; max: number }

/** Keeps a board page or a catalog current. */
export function useBoard<Thread extends ListedThread | CatalogThread>(
  initial: BoardPage<Thread>,
  { path, isFirst, max }: Source,
) {
  const boardId = initial.board.id
  const initialData: BoardData<Thread> = { ...initial, newThreads: [], isDeleted: false }

  const { data, update, refetch } = usePageQuery({
    queryKey: ['board', path, initial.lastEventId],
    queryFn: async ({ client, queryKey }) => {
      const fetched = await fetchBoard<Thread>(path)
      const current = client.getQueryData<BoardData<Thread>>(queryKey) ?? initialData
      return fetched ? mergeList(current, fetched, isFirst) : { ...current, isDeleted: true }
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
    showNewThreads: () => update((board) => showNewThreads(board, max)),
    remove: (threadId: number) => update((board) => removeThread(board, threadId)),
    /** Refetches the page after the visitor posted, and shows all new threads. */
    reload: async () => {
      await refetch()
      await update((board) => showNewThreads(board, max))
    },
  }
}

/** Returns null if the board was deleted. */
async function fetchBoard<Thread>(path: string): Promise<BoardPage<Thread> | null> {
  const response = await fetch(path)
  if (response.status === 404) return null
  if (!response.ok) throw new Error(`Cannot load the board: status ${response.status}`)
  return JSON.parse(await response.text(), reviveBoardDate)
}
