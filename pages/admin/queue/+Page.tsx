import { useSession } from '#src/features/auth/session.ts'
import { QueueScreen } from '#src/features/moderation/QueueScreen.tsx'

export default function Page() {
  return <QueueScreen isAdmin={useSession()?.role === 'admin'} />
}
