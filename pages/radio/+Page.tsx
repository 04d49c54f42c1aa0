import { createDataPage } from '#pages/dataPage.tsx'
import { useSession } from '#src/features/auth/session.ts'
import { ScheduleScreen } from '#src/features/show/ScheduleScreen.tsx'
import type { Data } from './+data.ts'
import { OnAirDeck } from './OnAirDeck.tsx'

export default createDataPage<Data>(function Radio({ data: { schedule, onAir, siteUrl } }) {
  const user = useSession()
  return (
    <ScheduleScreen
      initial={schedule}
      siteUrl={siteUrl}
      user={user}
      renderDeck={(shows) => <OnAirDeck onAir={onAir} {...shows} />}
    />
  )
})
