import { useData } from 'vike-react/useData'
import { useSession } from '#src/features/auth/session.ts'
import { ThreadScreen } from '#src/features/board/ThreadScreen.tsx'
import type { Data } from './+data.ts'

export default function Page() {
  const initial = useData<Data>()
  const user = useSession()
  return <ThreadScreen key={initial.thread.id} initial={initial} user={user} />
}
