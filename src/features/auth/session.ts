import { useSyncExternalStore } from 'react'
import type { PasswordChange } from '#src/contract/auth.ts'
import { type AuthUser, ROLES, type Role } from '#src/contract/user.ts'
import { readToken, writeToken } from '#src/lib/token.ts'
import { isUnauthorized, trpc } from '#src/lib/trpc.ts'

let user: AuthUser | null = null
const listeners = new Set<() => void>()

function setUser(next: AuthUser | null) {
  const isSame = next?.email === user?.email && next?.role === user?.role
  if (isSame && next?.generatedPassword === user?.generatedPassword) return
  user = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Who is logged in; null for a guest, on the server and in the first render. */
export function useSession(): AuthUser | null {
  return useSyncExternalStore<AuthUser | null>(
    subscribe,
    () => user,
    () => null,
  )
}

const isRole = (value: unknown): value is Role => ROLES.some((role) => role === value)

/** Reads a token's payload without trusting it: what it grants is decided by the server. Null if it can't be used. */
export function decodeToken(token: string, now = Date.now()): AuthUser | null {
  try {
    const payload = token.split('.')[1] ?? ''
    const bytes = Uint8Array.from(atob(payload.replace(/-/g, '+').replace(/_/g, '/')), (char) => char.charCodeAt(0))
    const { email, role, exp } = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>
    if (typeof email !== 'string' || !isRole(role) || typeof exp !== 'number' || exp * 1000 <= now) return null
    return { email, role }
  } catch {
    return null
  }
}

/** Takes the stored token up, or removes it where it is of no use. */
function restore() {
  const token = readToken()
  const decoded = token ? decodeToken(token) : null
  if (token && !decoded) writeToken(null)
  setUser(decoded)
}

/** Asks the server whether the token is still good: a session can be ended and a role changed elsewhere. */
async function verify() {
  const asked = readToken()
  if (!asked) return
  let known: AuthUser | null
  try {
    known = await (await trpc()).auth.me.query()
  } catch (error) {
    // out of reach is no refusal: the token stays
    if (!isUnauthorized(error)) return
    known = null
  }
  // somebody logged in or out meanwhile
  if (readToken() !== asked) return
  if (!known) writeToken(null)
  setUser(known)
}

/** Starts the session of this tab and follows the other tabs; returns how to stop. */
export function startSession(): () => void {
  restore()
  void verify()
  window.addEventListener('storage', restore)
  return () => window.removeEventListener('storage', restore)
}

/** Logs in; false if the credentials are refused. Any other failure is thrown. */
export async function login(email: string, password: string): Promise<boolean> {
  try {
    const result = await (await trpc()).auth.login.mutate({ email, password })
    writeToken(result.token)
    setUser(result.user)
    return true
  } catch (error) {
    if (isUnauthorized(error)) return false
    throw error
  }
}

/** Changes the password of who is logged in, and ends the other sessions. */
export async function changePassword(change: PasswordChange): Promise<void> {
  await (await trpc()).auth.changePassword.mutate(change)
  if (user) setUser({ ...user, generatedPassword: false })
}

/** Ends the session at the server and here; here even when the server is out of reach. */
export async function logout(): Promise<void> {
  try {
    await (await trpc()).auth.logout.mutate()
  } catch (error) {
    console.warn('The server did not end the session', error)
  }
  writeToken(null)
  setUser(null)
}

/** There is no registration: accounts are made by an admin. */
export async function register(): Promise<boolean> {
  return false
}
