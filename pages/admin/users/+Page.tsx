import { UsersScreen } from '#src/features/admin/UsersScreen.tsx'
import { useSession } from '#src/features/auth/session.ts'

export default function Page() {
  return <UsersScreen ownEmail={useSession()?.email} />
}
