import { TOKEN_KEY } from '#src/contract/user.ts'

/** Fired on `window` when the server refuses a call for want of a session. */
export const UNAUTHORIZED = 'unauthorized'

/** The bearer token of this browser; null on the server, or where storage is forbidden. */
export function readToken(): string | null {
  try {
    return localStorage.getItem(TOKEN_KEY)
  } catch {
    return null
  }
}

/** Keeps the token, or removes it with null. */
export function writeToken(token: string | null): void {
  try {
    if (token === null) localStorage.removeItem(TOKEN_KEY)
    else localStorage.setItem(TOKEN_KEY, token)
  } catch {
    // A browser that keeps nothing still works, until the page is left.
  }
}
