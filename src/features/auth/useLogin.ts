import type { FormEvent } from 'react'
import { authMessages, loginInput } from '#src/contract/auth.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText, isUnauthorized } from '#src/lib/trpc.ts'
import { useForm } from '#src/lib/useForm.ts'
import { login } from './session.ts'

const empty = { email: '', password: '' }

export function useLogin(onSuccess: () => void = () => {}) {
  const { fields, refusal, setRefusal, refuse, validate, control, clear } = useForm(empty, loginInput)
  const { mutate, isPending } = useMutation({
    mutationFn: login,
    onSuccess: () => {
      clear()
      onSuccess()
    },
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    if (!validate(form)) return
    mutate(fields, {
      onError: (error) => {
        if (isUnauthorized(error)) refuse(form, authMessages.invalid, 'password')
        else setRefusal({ text: errorText(error, authMessages.failed) })
      },
    })
  }

  const isEmpty = fields.email === '' && fields.password === ''
  return { control, isEmpty, refusal, busy: isPending, submit, clear }
}

export type LoginState = ReturnType<typeof useLogin>
