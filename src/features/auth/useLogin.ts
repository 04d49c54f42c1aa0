import { type FormEvent, useState } from 'react'
import { authMessages, loginInput } from '#src/contract/auth.ts'
import { t } from '#src/i18n/t.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText, isUnauthorized } from '#src/lib/trpc.ts'
import { useForm } from '#src/lib/useForm.ts'
import { login, loginWithPasskey } from './loginCalls.ts'

const empty = { email: '', password: '', code: '' }

export function useLogin(onSuccess: () => void = () => {}) {
  const { fields, refusal, setRefusal, refuse, validate, control, clear } = useForm(empty, loginInput)
  const [needsCode, setNeedsCode] = useState(false)
  const { mutate, isPending } = useMutation({
    mutationFn: (attempt: () => Promise<void>) => attempt(),
    onSuccess: () => {
      clear()
      setNeedsCode(false)
      onSuccess()
    },
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    if (!validate(form)) return
    const { code, ...credentials } = fields
    mutate(() => login(code ? { ...credentials, code } : credentials), {
      onError: (error) => {
        const text = errorText(error, t('auth.failed'))
        if (!isUnauthorized(error)) setRefusal({ text })
        else if (text === authMessages.codeRequired) setNeedsCode(true)
        else if (text === authMessages.codeWrong) refuse(form, t('auth.codeWrong'), 'code')
        else refuse(form, t('auth.invalid'), 'password')
      },
    })
  }

  function logInWithPasskey() {
    setRefusal(null)
    mutate(loginWithPasskey, {
      // The visitor cancelled the browser's dialog, or the device has no passkey for this site.
      onError: (error) => setRefusal({ text: errorText(error, t('auth.passkeyFailed')) }),
    })
  }

  const isEmpty = fields.email === '' && fields.password === ''
  return { control, isEmpty, needsCode, refusal, busy: isPending, submit, logInWithPasskey, clear }
}

export type LoginState = ReturnType<typeof useLogin>
