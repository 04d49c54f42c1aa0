import { createDataPage } from '#pages/dataPage.tsx'
import { useSession } from '#src/features/auth/session.ts'
import { BoardScreen } from '#src/features/board/lists/BoardScreen.tsx'
import type { Data } from './+data.ts'

export default createDataPage<Data>(function Board({ data: { list, cursor } }) {
  const user = useSession()
  const key = `${list.board.id} ${cursor ?? ''} ${list.lastEventId}`
  return <BoardScreen key={key} initial={list} cursor={cursor} user={user} />
})
