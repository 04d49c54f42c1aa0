import { PasswordForm } from '#src/features/auth/PasswordForm.tsx'
import { useSession } from '#src/features/auth/session.ts'
import { ButtonLink } from '#src/ui/Button.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'

export default function Page() {
  const user = useSession()
  return (
    <div className="wrap">
      <PageHeader title="Account" lead="Change your password" />
      {user ? (
        <PasswordForm email={user.email} />
      ) : (
        <EmptyState action={<ButtonLink href="/login?next=/account">Login</ButtonLink>}>
          Log in to change your password.
        </EmptyState>
      )}
    </div>
  )
}
