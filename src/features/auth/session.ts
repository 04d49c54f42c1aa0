import { useSyncExternalStore } from 'react'
import type { LoginInput, PasswordChange } from '#src/contract/auth.ts'
import { type AuthUser, ROLES, type Role, SESSION_ENDED, TOKEN_KEY } from '#src/contract/user.ts'
import { readToken, UNAUTHORIZED, writeToken } from '#src/lib/token.ts'
import { isUnauthorized, trpc } from '#src/lib/trpc.ts'
import { toast } from '#src/ui/Toast.tsx'

type Session = {
  user: AuthUser | null
  /** it ended without a logout in this tab */
  ended: boolean
  /** the login dialog is open */
  loggingIn: boolean
}

const GUEST: Session = { user: null, ended: false, loggingIn: false }
let session = GUEST
const listeners = new Set<() => void>()

function change(next: Partial<Session>) {
  session = { ...session, ...next }
  for (const listener of listeners) listener()
}

function setUser(user: AuthUser | null) {
  const shown = session.user
  const isSame = user?.email === shown?.email && user?.role === shown?.role
  if (isSame && user?.generatedPassword === shown?.generatedPassword) return
  const ended = user === null
  change({ user, ended })
  if (ended) toast(SESSION_ENDED)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The session of this tab; on the server and in the first render that of a guest. */
export const useSessionState = (): Session =>
  useSyncExternalStore(
    subscribe,
    () => session,
    () => GUEST,
  )

/** Who is logged in; null for a guest. */
export const useSession = (): AuthUser | null => useSessionState().user

/** Opens or closes the login dialog. */
export const setLoggingIn = (loggingIn: boolean) => change({ loggingIn })

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

/** A call was refused: if that is because the session has ended, the login is offered in place. */
async function onUnauthorized() {
  await verify()
  if (session.ended) setLoggingIn(true)
}

function onStorage({ key }: StorageEvent) {
  // null: everything was removed
  if (key !== TOKEN_KEY && key !== null) return
  restore()
  void verify()
}

const onVisible = () => {
  if (!document.hidden) void verify()
}

/** Starts the session of this tab and follows the other tabs; returns how to stop. */
export function startSession(): () => void {
  restore()
  void verify()
  window.addEventListener('storage', onStorage)
  window.addEventListener(UNAUTHORIZED, onUnauthorized)
  document.addEventListener('visibilitychange', onVisible)
  return () => {
    window.removeEventListener('storage', onStorage)
    window.removeEventListener(UNAUTHORIZED, onUnauthorized)
    document.removeEventListener('visibilitychange', onVisible)
  }
}

export async function login(credentials: LoginInput): Promise<void> {
  const { token, user } = await (await trpc()).auth.login.mutate(credentials)
  writeToken(token)
  setUser(user)
}

/** Changes the password of the logged-in user, and ends their other sessions. */
export async function changePassword(passwords: PasswordChange): Promise<void> {
  await (await trpc()).auth.changePassword.mutate(passwords)
  const { user } = session
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
  change(GUEST)
}
