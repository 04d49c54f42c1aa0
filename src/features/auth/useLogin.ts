import { type FormEvent, useState } from 'react'
import { authMessages, loginInput } from '#src/contract/auth.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText, isUnauthorized } from '#src/lib/trpc.ts'
import { login } from './session.ts'

type Field = 'email' | 'password'
type Refusal = { text: string; field?: Field }

export function useLogin(onSuccess: () => void = () => {}) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const mutation = useMutation({
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
    setRefusal(null)
    mutation.mutate(parsed.data, {
      onError: (error) => {
        if (isUnauthorized(error)) refuse(authMessages.invalid, 'password')
        else setRefusal({ text: errorText(error, authMessages.failed) })
      },
    })
  }

  return { email, setEmail, password, setPassword, refusal, busy: mutation.isPending, submit, clear }
}

export type LoginState = ReturnType<typeof useLogin>
