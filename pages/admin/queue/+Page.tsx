import { usePageContext } from 'vike-react/usePageContext'
import { useSession } from '#src/features/auth/session.ts'
import { QueueScreen } from '#src/features/moderation/QueueScreen.tsx'

export default function Page() {
  const { item } = usePageContext().urlParsed.search
  return <QueueScreen isAdmin={useSession()?.role === 'admin'} first={item} />
}
