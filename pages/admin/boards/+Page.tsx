import { BoardsScreen } from '#src/features/admin/BoardsScreen.tsx'
import { BoardDialog } from '#src/features/board/BoardDialog.tsx'

export default function Page() {
  return <BoardsScreen CreateDialog={BoardDialog} />
}
