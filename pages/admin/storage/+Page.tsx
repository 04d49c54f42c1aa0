import { StorageScreen } from '#src/features/admin/StorageScreen.tsx'

export default function Page() {
  return <StorageScreen />
}
