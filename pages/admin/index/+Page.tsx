import { OverviewScreen } from '#src/features/admin/OverviewScreen.tsx'
import { Switches } from '#src/features/moderation/Switches.tsx'

export default function Page() {
  return <OverviewScreen switches={<Switches />} />
}
