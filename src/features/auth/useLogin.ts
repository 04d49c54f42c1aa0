import { type FormEvent, useState } from 'react'
import { authMessages, loginInput } from '#src/contract/auth.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { focusControl, type Refusal, refuseInvalid } from '#src/lib/refusal.ts'
import { errorText, isUnauthorized } from '#src/lib/trpc.ts'
import { login } from './session.ts'

export function useLogin(onSuccess: () => void = () => {}) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [refusal, setRefusal] = useState<Refusal<'email' | 'password'> | null>(null)
  const { mutate, isPending } = useMutation({
    mutationFn: login,
    onSuccess: () => {
      clear()
      onSuccess()
    },
  })

  function clear() {
    setEmail('')
    setPassword('')
    setRefusal(null)
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const refused = refuseInvalid(form, loginInput, { email, password })
    setRefusal(refused)
    if (refused) return
    const onError = (error: Error) => {
      if (!isUnauthorized(error)) return setRefusal({ text: errorText(error, authMessages.failed) })
      setRefusal({ text: authMessages.invalid, field: 'password' })
      focusControl(form, 'password')
    }
    mutate({ email, password }, { onError })
  }

  return { email, setEmail, password, setPassword, refusal, busy: isPending, submit, clear }
}

export type LoginState = ReturnType<typeof useLogin>
