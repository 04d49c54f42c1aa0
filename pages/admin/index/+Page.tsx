import { OverviewScreen } from '#src/features/admin/OverviewScreen.tsx'
import { Switches } from '#src/features/moderation/Switches.tsx'
import { WaitingList } from '#src/features/moderation/WaitingList.tsx'
import { ListenerGraph } from '#src/features/show/ListenerGraph.tsx'

const MAIN_STATION = 1

export default function Page() {
  return (
    <OverviewScreen
      waiting={<WaitingList />}
      listeners={<ListenerGraph stationId={MAIN_STATION} />}
      switches={<Switches />}
    />
  )
}
