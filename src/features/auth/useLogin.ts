import { useState } from 'react'
import type { LoginInput, LoginResult } from '#src/contract/auth.ts'
import { t } from '#src/i18n/t.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { writeToken } from '#src/lib/token.ts'
import { errorText, isUnauthorized, refusalCode, refusedField, trpc } from '#src/lib/trpc.ts'
import { useForm } from '#src/lib/useForm.ts'
import { setUser } from './session.ts'

const empty = { email: '', password: '', code: '' }

/** Pages that ask for a login. A link to the login page could name any other URL. */
const TARGETS = /^\/(?:programs-we-love|account|go-live|admin(?:\/[a-z-]+)?)$/

/** Returns the path of the page that a visitor sees after the login. @param next the page that asked for it */
export const targetAfterLogin = (next: string): string => (TARGETS.test(next) ? next : '/dtpchan')

export function useLogin(onSuccess: () => void = () => {}) {
  const { fields, refusal, refuse, dismiss, submitting, control, clear } = useForm(empty)
  const [needsCode, setNeedsCode] = useState(false)
  const { mutate, isPending } = useMutation({
    mutationFn: (attempt: () => Promise<void>) => attempt(),
    onSuccess: () => {
      clear()
      setNeedsCode(false)
      onSuccess()
    },
  })

  const submit = submitting(() => {
    const { code, ...credentials } = fields
    mutate(() => login(code ? { ...credentials, code } : credentials), {
      onError: (error) => {
        const refused = refusalCode(error)
        if (refused === 'auth.codeRequired') setNeedsCode(true)
        else if (refused === 'auth.codeWrong') refuse(t('auth.codeWrong'), 'code')
        else if (isUnauthorized(error)) refuse(t('auth.invalid'), 'password')
        else refuse(errorText(error, t('auth.failed')), refusedField(error))
      },
    })
  })

  function logInWithPasskey() {
    dismiss()
    mutate(loginWithPasskey, {
      // The visitor cancelled the browser's dialog, or the device has no passkey for this site.
      onError: (error) => refuse(errorText(error, t('auth.passkeyFailed'))),
    })
  }

  const isEmpty = fields.email === '' && fields.password === ''
  return { control, isEmpty, needsCode, refusal, busy: isPending, submit, logInWithPasskey }
}

export type LoginState = ReturnType<typeof useLogin>

const login = async (credentials: LoginInput) => startWith(await (await trpc()).auth.login.mutate(credentials))

/** Asks the device for a passkey. It replaces email, password and code. */
async function loginWithPasskey(): Promise<void> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const { auth } = await trpc()
  const { options, setup } = await auth.startPasskeyLogin.mutate()
  const response = await startAuthentication({ optionsJSON: options })
  startWith(await auth.loginWithPasskey.mutate({ setup, response: { ...response } }))
}

function startWith({ token, user }: LoginResult): void {
  writeToken(token)
  setUser(user)
}
