import type { AuthUser } from '#src/contract/auth.ts'
import styles from '#src/features/auth/Account.module.css'
import { PasswordForm } from '#src/features/auth/PasswordForm.tsx'
import { SecondFactor } from '#src/features/auth/SecondFactor.tsx'
import { Sessions } from '#src/features/auth/Sessions.tsx'
import { useRequiredSession } from '#src/features/auth/session.ts'
import { AlertSwitch } from '#src/features/moderation/AlertSwitch.tsx'
import { StreamerLink } from '#src/features/streamer/StreamerSections.tsx'
import { t } from '#src/i18n/t.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { ButtonLink } from '#src/ui/Button.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'

export default function Page() {
  const user = useRequiredSession()
  return (
    <div className="wrap">
      <PageHeader
        title={t('account.title')}
        lead={t('account.lead')}
        action={
          user && (
            <div className="cluster">
              <StreamerLink email={user.email} />
              <ModerationLink user={user} />
            </div>
          )
        }
      />
      {user ? (
        // Another user can log in above the page.
        <div key={user.email} className={styles.sections}>
          <PasswordForm email={user.email} />
          <SecondFactor email={user.email} />
          <Sessions email={user.email} />
          <AlertSwitch email={user.email} />
        </div>
      ) : (
        <EmptyState action={<ButtonLink href="/login?next=/account">{t('ui.login')}</ButtonLink>}>
          {t('account.loginToChange')}
        </EmptyState>
      )}
    </div>
  )
}

/** Links the admin area for admins and for members who moderate a board. */
function ModerationLink({ user: { email, role } }: { user: AuthUser }) {
  const { isSuccess } = usePrivateQuery(['moderation', email, role], (client) => client.auth.moderation.query())
  return isSuccess ? (
    <ButtonLink href="/admin">{role === 'admin' ? t('ui.adminArea') : t('auth.moderation')}</ButtonLink>
  ) : null
}
