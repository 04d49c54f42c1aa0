import { createDataPage } from '#pages/dataPage.tsx'
import { useSession } from '#src/features/auth/session.ts'
import { ThreadScreen } from '#src/features/board/thread/ThreadScreen.tsx'
import type { Data } from './+data.ts'

export default createDataPage<Data>(function Thread({ data }) {
  const user = useSession()
  return <ThreadScreen key={`${data.thread.id} ${data.lastEventId}`} initial={data} user={user} />
})
