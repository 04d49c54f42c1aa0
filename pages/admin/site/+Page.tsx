import { SiteScreen } from '#src/features/admin/SiteScreen.tsx'

export default function Page() {
  return <SiteScreen />
}
