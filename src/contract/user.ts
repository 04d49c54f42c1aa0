/** What a user may do beyond a guest. A board's moderators are members named on it. */
export const ROLES = ['admin', 'member'] as const
export type Role = (typeof ROLES)[number]

/** Who is logged in, as the client may know it. */
export type AuthUser = {
  email: string
  role: Role
  /** the site made the password and asks for another one; a token does not say so */
  generatedPassword?: boolean
}

/** Said when a session ended elsewhere. */
export const SESSION_ENDED = 'Your session has ended'

/** Local storage key under which the client keeps its bearer token. */
export const TOKEN_KEY = 'dtpchan_token'
