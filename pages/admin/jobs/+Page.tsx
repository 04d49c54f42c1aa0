import { JobsScreen } from '#src/features/admin/JobsScreen.tsx'

export default function Page() {
  return <JobsScreen />
}
