import { type FormEvent, useState } from 'react'
import { authMessages, loginInput } from '#src/contract/auth.ts'
import { errorText } from '#src/lib/trpc.ts'
import { login } from './session.ts'

/** State of a login form; a success clears it and calls `onSuccess`. */
export function useLogin(onSuccess: () => void) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  function clear() {
    setEmail('')
    setPassword('')
    setError(null)
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    const parsed = loginInput.safeParse({ email, password })
    if (!parsed.success) return setError(parsed.error.issues[0]?.message ?? authMessages.required)
    setBusy(true)
    setError(null)
    try {
      if (await login(parsed.data.email, parsed.data.password)) {
        clear()
        onSuccess()
      } else {
        setError(authMessages.invalid)
      }
    } catch (failure) {
      setError(errorText(failure, authMessages.failed))
    } finally {
      setBusy(false)
    }
  }

  return { email, setEmail, password, setPassword, error, busy, submit, clear }
}

export type LoginState = ReturnType<typeof useLogin>
