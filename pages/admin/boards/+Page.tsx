import { BoardsScreen } from '#src/features/admin/BoardsScreen.tsx'
import { BoardDialog } from '#src/features/board/boards/BoardDialog.tsx'

export default function Page() {
  return <BoardsScreen CreateDialog={BoardDialog} />
}
