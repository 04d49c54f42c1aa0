import { OverviewScreen } from '#src/features/admin/OverviewScreen.tsx'

export default function Page() {
  return <OverviewScreen />
}
