import { createDataPage } from '#pages/dataPage.tsx'
import { useSession } from '#src/features/auth/session.ts'
import { SongRequestsScreen } from '#src/features/show/SongRequestsScreen.tsx'
import type { Data } from './+data.ts'

export default createDataPage<Data>(function SongRequests({ data }) {
  const user = useSession()
  return <SongRequestsScreen {...data} isAdmin={user?.role === 'admin'} />
})
