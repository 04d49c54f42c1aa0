import { TOKEN_KEY } from '#src/contract/user.ts'

/** Event on `window` when the server refuses a call without a valid session. */
export const UNAUTHORIZED = 'unauthorized'

/** Returns the bearer token; null on the server and where storage is forbidden. */
export function readToken(): string | null {
  try {
    return localStorage.getItem(TOKEN_KEY)
  } catch {
    return null
  }
}

export function writeToken(token: string | null): void {
  try {
    if (token === null) localStorage.removeItem(TOKEN_KEY)
    else localStorage.setItem(TOKEN_KEY, token)
  } catch {
    // Storage is forbidden: the session lasts until the page is closed.
  }
}
