import type { LoginInput, LoginResult, PasswordChange } from '#src/contract/auth.ts'
import { writeToken } from '#src/lib/token.ts'
import { trpc } from '#src/lib/trpc.ts'
import { getUser, setUser } from './session.ts'

// Separate from session.ts, which every page loads.

export const login = async (credentials: LoginInput) => startWith(await (await trpc()).auth.login.mutate(credentials))

/** Asks the device for a passkey. It replaces email, password and code. */
export async function loginWithPasskey(): Promise<void> {
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

export async function changePassword(passwords: PasswordChange): Promise<void> {
  await (await trpc()).auth.changePassword.mutate(passwords)
  const user = getUser()
  if (user) setUser({ ...user, generatedPassword: false })
}
