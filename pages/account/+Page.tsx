import { PasswordForm } from '#src/features/auth/PasswordForm.tsx'
import { useSession } from '#src/features/auth/session.ts'
import { ButtonLink } from '#src/ui/Button.tsx'
import { Empty } from '#src/ui/Empty.tsx'
import { PageHead } from '#src/ui/PageHead.tsx'

export default function Page() {
  const user = useSession()
  return (
    <div className="wrap">
      <PageHead title="Account" lead="Change your password" />
      {user ? (
        <PasswordForm email={user.email} />
      ) : (
        <Empty action={<ButtonLink href="/login?next=/account">Login</ButtonLink>}>
          Log in to change your password.
        </Empty>
      )}
    </div>
  )
}
