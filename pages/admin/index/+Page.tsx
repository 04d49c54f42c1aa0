import { OverviewScreen } from '#src/features/admin/OverviewScreen.tsx'
import { Switches } from '#src/features/moderation/Switches.tsx'
import { ListenerGraph } from '#src/features/show/ListenerGraph.tsx'

const MAIN_STATION = 1

export default function Page() {
  return <OverviewScreen listeners={<ListenerGraph stationId={MAIN_STATION} />} switches={<Switches />} />
}
