import { useData } from 'vike-react/useData'
import { useSession } from '#src/features/auth/session.ts'
import { BoardScreen } from '#src/features/board/BoardScreen.tsx'
import type { Data } from './+data.ts'

export default function Page() {
  const { list, cursor } = useData<Data>()
  const user = useSession()
  return <BoardScreen key={`${list.board.id} ${cursor ?? ''}`} initial={list} cursor={cursor} user={user} />
}
