import { createDataPage } from '#pages/dataPage.tsx'
import { useSession } from '#src/features/auth/session.ts'
import { SongRequestsScreen } from '#src/features/show/SongRequestsScreen.tsx'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default createDataPage<Data>(
  () => t('show.requestSong'),
  function SongRequests({ data }) {
    const user = useSession()
    return <SongRequestsScreen {...data} isAdmin={user?.role === 'admin'} />
  },
)
