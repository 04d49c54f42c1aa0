import { useSession } from '#src/features/auth/session.ts'
import { ThreadScreen } from '#src/features/board/ThreadScreen.tsx'
import { loaded } from '../../../../../loaded.tsx'
import type { Data } from './+data.ts'

export default loaded<Data>('Thread', function Thread({ data }) {
  const user = useSession()
  return <ThreadScreen key={data.thread.id} initial={data} user={user} />
})
