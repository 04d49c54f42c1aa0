import { createDataPage } from '#pages/dataPage.tsx'
import { useSession } from '#src/features/auth/session.ts'
import { BoardScreen } from '#src/features/board/lists/BoardScreen.tsx'
import type { Data } from './+data.ts'

export default createDataPage<Data>(function Board({ data: { list, cursor } }) {
  const user = useSession()
  return <BoardScreen key={`${list.board.id} ${cursor ?? ''}`} initial={list} cursor={cursor} user={user} />
})
