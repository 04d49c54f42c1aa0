import { t } from '#src/i18n/t.ts'
import { trpc } from '#src/lib/trpc.ts'
import type { Deletion } from '#src/ui/DeleteDialog.tsx'

export const deleteBoard = (ids: { boardId: string }): Deletion => ({
  title: t('board.deleteBoardTitle', { board: ids.boardId }),
  text: t('board.deleteBoardText'),
  failed: t('board.deleteBoardFailed'),
  done: t('board.boardDeleted'),
  typed: ids.boardId,
  run: async () => (await trpc()).board.delete.mutate(ids),
})
