import { TOKEN_KEY } from '#src/contract/auth.ts'

/** Event that `window` fires if the server refuses a call because the session is not valid. */
export const UNAUTHORIZED = 'unauthorized'

/** Returns the bearer token; null on the server, or if the browser blocks storage. */
export function readToken(): string | null {
  try {
    return localStorage.getItem(TOKEN_KEY)
  } catch {
    return null
  }
}

/** Returns the claims of the bearer token; none without a valid one. Only the server verifies tokens. */
export function readClaims(): Record<string, unknown> {
  try {
    const payload = readToken()?.split('.')[1] ?? ''
    const bytes = Uint8Array.from(atob(payload.replace(/-/g, '+').replace(/_/g, '/')), (char) => char.charCodeAt(0))
    return { ...JSON.parse(new TextDecoder().decode(bytes)) }
  } catch {
    return {}
  }
}

export function writeToken(token: string | null): void {
  try {
    if (token === null) localStorage.removeItem(TOKEN_KEY)
    else localStorage.setItem(TOKEN_KEY, token)
  } catch {
    // The browser blocks storage: the session lasts until the page is closed.
  }
}
