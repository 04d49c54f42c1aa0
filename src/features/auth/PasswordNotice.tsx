import type { ReactNode } from 'react'
import { rich } from '#src/i18n/t.ts'
import { useSession } from './session.ts'

const link = (text: ReactNode) => <a href="/account">{text}</a>

/** Asks an admin to replace the generated password, or to add the second factor that the site requires. */
export function PasswordNotice() {
  const user = useSession()
  if (user?.generatedPassword)
    return (
      <p className="notice" role="status">
        {rich('auth.generatedPassword', { link })}
      </p>
    )
  if (user?.needsSecondFactor)
    return (
      <p className="notice" role="status">
        {rich('auth.addFactor', { link })}
      </p>
    )
  return null
}
