import { useEffect } from 'react'
import { navigate } from 'vike/client/router'
import { usePageContext } from 'vike-react/usePageContext'
import { LoginForm } from '#src/features/auth/LoginForm.tsx'
import { useSession } from '#src/features/auth/session.ts'
import { PageHeader } from '#src/ui/PageHeader.tsx'

/** The only pages a login leads back to: others could be named in a link by anybody. */
const NEXT = ['/programs-we-love', '/account']

export default function Page() {
  const { next = '' } = usePageContext().urlParsed.search
  const isLoggedIn = useSession() !== null

  // after a login, too; Back does not lead here again
  useEffect(() => {
    if (isLoggedIn) void navigate(NEXT.includes(next) ? next : '/dtpchan', { overwriteLastHistoryEntry: true })
  }, [isLoggedIn, next])

  return (
    <div className="wrap">
      <PageHeader title="DTPChan Admin Login" lead="Admin access only" />
      <LoginForm />
    </div>
  )
}
