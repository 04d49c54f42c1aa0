import { FeedsScreen } from '#src/features/admin/FeedsScreen.tsx'

export default function Page() {
  return <FeedsScreen />
}
