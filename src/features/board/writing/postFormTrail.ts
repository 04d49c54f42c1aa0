import { boardPath } from '#src/contract/board.ts'
import { type PostFormPlace, threadPath } from '#src/contract/thread.ts'
import { t } from '#src/i18n/t.ts'
import { useBoardsCrumb } from '#src/ui/useBoardsCrumb.ts'

export const usePostFormTrail = ({ board, thread }: PostFormPlace) => [
  useBoardsCrumb(),
  { label: `/${board.id}/`, href: boardPath(board.id) },
  ...(thread ? [{ label: t('ui.postNumber', { id: thread.id }), href: threadPath(board.id, thread.id) }] : []),
  { label: t('board.post') },
]
