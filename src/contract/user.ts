/** Moderators have no role of their own: a board lists its moderators, who are members. */
export const ROLES = ['admin', 'member'] as const
export type Role = (typeof ROLES)[number]

export type AuthUser = {
  email: string
  role: Role
  /** the site generated the password and asks for another one; not part of a token */
  generatedPassword?: boolean
}

export const SESSION_ENDED = 'Your session has ended'

/** Local storage key of the bearer token. */
export const TOKEN_KEY = 'dtpchan_token'
