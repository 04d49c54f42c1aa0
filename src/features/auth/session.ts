import { useEffect } from 'react'
import { type AuthUser, ROLES, type Role, TOKEN_KEY } from '#src/contract/auth.ts'
import { t } from '#src/i18n/t.ts'
import { followStored } from '#src/lib/storage.ts'
import { createStore } from '#src/lib/store.ts'
import { readClaims, readToken, UNAUTHORIZED, writeToken } from '#src/lib/token.ts'
import { isUnauthorized, trpc } from '#src/lib/trpc.ts'
import { toast } from '#src/ui/Toast.tsx'

type Session = {
  user: AuthUser | null
  /** true if the session ended without a logout in this tab */
  ended: boolean
  isLoginOpen: boolean
  /** the user whose session ended: the login opens above their page, which keeps what they typed */
  kept: AuthUser | null
}

const GUEST: Session = { user: null, ended: false, isLoginOpen: false, kept: null }
const session = createStore(GUEST)

const updateSession = (change: Partial<Session>) => session.set({ ...session.get(), ...change })

export const getUser = (): AuthUser | null => session.get().user

/** the email of the last user; forms that they opened are still open */
let lastEmail = ''

/** @param opensLogin whether the end of a session opens the login */
export function setUser(user: AuthUser | null, opensLogin = false): void {
  const current = getUser()
  const names = ['email', 'role', 'generatedPassword', 'needsSecondFactor'] as const
  if (names.every((name) => user?.[name] === current?.[name])) return
  const ended = user === null
  const isKept = ended && opensLogin
  updateSession({ user, ended, kept: isKept ? current : null, ...(isKept && { isLoginOpen: true }) })
  if (ended) toast(t('auth.sessionEnded'))
  else {
    if (lastEmail && lastEmail !== user.email && history.state?.layer) void closeDialogs()
    lastEmail = user.email
  }
}

/** Keeps what the last user typed from the next one. */
const closeDialogs = async () => (await import('#src/ui/overlayHistory.ts')).closeDialogs()

/** Returns this tab's session. The session has no user on the server and during hydration. */
export const useSessionState = session.useValue

/** Returns the user, also while they log in again. */
export function useSession(): AuthUser | null {
  const { user, kept } = useSessionState()
  return user ?? kept
}

/** mounted pages that have nothing for guests */
let userPages = 0

/** Like `useSession`, for pages that have nothing for guests: the end of the session opens the login at once. */
export function useRequiredSession(): AuthUser | null {
  useEffect(() => {
    userPages++
    return () => {
      userPages--
    }
  }, [])
  return useSession()
}

export const setLoginOpen = (isLoginOpen: boolean) =>
  updateSession({ isLoginOpen, ...(!isLoginOpen && { kept: null }) })

const isRole = (value: unknown): value is Role => ROLES.some((role) => role === value)

function restoreSession() {
  const { email, role, exp } = readClaims()
  const isValid = typeof email === 'string' && isRole(role) && typeof exp === 'number' && exp * 1000 > Date.now()
  if (!isValid && readToken()) writeToken(null)
  setUser(isValid ? { email, role } : null)
}

/** Asks the server about the token: the session may have ended or the role changed elsewhere. */
export async function verifySession(opensLogin = userPages > 0) {
  const token = readToken()
  if (!token) return
  let user: AuthUser | null
  try {
    user = await (await trpc()).auth.me.query()
  } catch (error) {
    // An unreachable server does not end the session.
    if (!isUnauthorized(error)) return
    user = null
  }
  // Ignores the response if the visitor logged in or out during the request.
  if (readToken() !== token) return
  if (!user) writeToken(null)
  setUser(user, opensLogin)
}

/** Opens the login dialog if the server refused a call because the session ended. */
async function onUnauthorized() {
  await verifySession(true)
  if (session.get().ended) setLoginOpen(true)
}

function readSession() {
  restoreSession()
  void verifySession()
}

const onVisible = () => {
  if (!document.hidden) void verifySession()
}

/** Restores the session and keeps it in sync with other tabs. Returns a function that stops the sync. */
export function startSession(): () => void {
  readSession()
  const unfollow = followStored(TOKEN_KEY, readSession)
  window.addEventListener(UNAUTHORIZED, onUnauthorized)
  document.addEventListener('visibilitychange', onVisible)
  return () => {
    unfollow()
    window.removeEventListener(UNAUTHORIZED, onUnauthorized)
    document.removeEventListener('visibilitychange', onVisible)
  }
}

/** Logs out. If the server is unreachable, the session ends only in this browser. */
export async function logout(): Promise<void> {
  try {
    await (await trpc()).auth.logout.mutate()
  } catch (error) {
    console.warn('The server did not end the session', error)
  }
  writeToken(null)
  updateSession(GUEST)
}
