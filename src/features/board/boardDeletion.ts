import { boardFormMessages } from '#src/contract/boardFormTexts.ts'
import { trpc } from '#src/lib/trpc.ts'
import type { Deletion } from '#src/ui/DeleteDialog.tsx'

export const deleteBoard = (ids: { boardId: string }): Deletion => ({
  title: `Delete /${ids.boardId}/?`,
  text: 'The board and all its threads, comments and images will be deleted for good.',
  failed: boardFormMessages.deleteBoard,
  done: 'Board deleted',
  run: async () => (await trpc()).board.delete.mutate(ids),
})
