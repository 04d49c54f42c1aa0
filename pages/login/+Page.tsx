import { useEffect } from 'react'
import { navigate } from 'vike/client/router'
import { usePageContext } from 'vike-react/usePageContext'
import { LoginForm } from '#src/features/auth/LoginForm.tsx'
import { useSession } from '#src/features/auth/session.ts'
import { targetAfterLogin } from '#src/features/auth/useLogin.ts'
import { t } from '#src/i18n/t.ts'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { useSite } from '#src/ui/site.ts'

export default function Page() {
  const { next = '' } = usePageContext().urlParsed.search
  const { boardsName } = useSite()
  const isLoggedIn = useSession() !== null

  // Replaces the history entry, so that Back does not return to the login page.
  useEffect(() => {
    if (isLoggedIn) void navigate(targetAfterLogin(next), { overwriteLastHistoryEntry: true })
  }, [isLoggedIn, next])

  return (
    <div className="wrap">
      <PageHeader title={t('auth.adminLogin', { boards: boardsName })} lead={t('auth.adminOnly')} />
      <noscript>
        <p>{t('auth.needsScript')}</p>
      </noscript>
      <LoginForm />
    </div>
  )
}
