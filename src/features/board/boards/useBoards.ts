import type { BoardView } from '#src/contract/board.ts'
import type { ListedBoard } from '#src/contract/thread.ts'
import { t } from '#src/i18n/t.ts'
import { useLiveData } from '#src/lib/liveData.ts'
import { trpc } from '#src/lib/trpc.ts'
import type { Deletion } from '#src/ui/DeleteDialog.tsx'

export function useBoards({ boards: initialData, lastEventId }: { boards: ListedBoard[]; lastEventId: string }) {
  const { data, update } = useLiveData({
    initialData,
    lastEventId,
    read: async () => (await (await trpc()).board.overview.query()).boards,
    topic: 'boards',
  })

  return {
    boards: data,
    append: (created: BoardView) =>
      update((boards) => [
        ...boards.filter(({ id }) => id !== created.id),
        { ...created, threads: 0, latest: null, activity: [] },
      ]),
    remove: (boardId: string) => update((boards) => boards.filter(({ id }) => id !== boardId)),
  }
}

export const deleteBoard = (ids: { boardId: string }): Deletion => ({
  title: t('board.deleteBoardTitle', { board: ids.boardId }),
  text: t('board.deleteBoardText'),
  failed: t('board.deleteBoardFailed'),
  done: t('board.boardDeleted'),
  typed: ids.boardId,
  run: async () => (await trpc()).board.delete.mutate(ids),
})
