import { type FormEvent, useState } from 'react'
import { authMessages, loginInput } from '#src/contract/auth.ts'
import { errorText } from '#src/lib/trpc.ts'
import { login } from './session.ts'

type Field = 'email' | 'password'
type Refusal = { text: string; field?: Field }

/** State of a login form; a success clears it and calls `onSuccess`. */
export function useLogin(onSuccess: () => void = () => {}) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [busy, setBusy] = useState(false)

  function clear() {
    setEmail('')
    setPassword('')
    setRefusal(null)
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const { elements } = event.currentTarget
    const refuse = (text: string, field: Field) => {
      setRefusal({ text, field })
      const element = elements.namedItem(field)
      if (element instanceof HTMLElement) element.focus()
    }
    const parsed = loginInput.safeParse({ email, password })
    if (!parsed.success) {
      const [issue] = parsed.error.issues
      return refuse(issue?.message ?? authMessages.required, issue?.path[0] === 'password' ? 'password' : 'email')
    }
    setBusy(true)
    setRefusal(null)
    try {
      if (await login(parsed.data.email, parsed.data.password)) {
        clear()
        onSuccess()
      } else {
        refuse(authMessages.invalid, 'password')
      }
    } catch (failure) {
      setRefusal({ text: errorText(failure, authMessages.failed) })
    } finally {
      setBusy(false)
    }
  }

  return { email, setEmail, password, setPassword, refusal, busy, submit, clear }
}

export type LoginState = ReturnType<typeof useLogin>
