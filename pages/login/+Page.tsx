import { LoginForm } from '#src/features/auth/LoginForm.tsx'
import { PageHead } from '#src/ui/PageHead.tsx'

export default function Page() {
  return (
    <div className="wrap">
      <PageHead title="DTPChan Admin Login" lead="Admin access only" />
      <LoginForm />
    </div>
  )
}
