/** There is no moderator role: each board lists the members who moderate it. */
export const ROLES = ['admin', 'member'] as const
export type Role = (typeof ROLES)[number]

export type AuthUser = {
  email: string
  role: Role
  /** true until the user replaces the password that the site generated; tokens do not contain this field */
  generatedPassword?: boolean
  /** true for an admin who must add a second factor first, and is a member until then; not in tokens */
  needsSecondFactor?: boolean
}

/** A user as admins see it. */
export type UserView = {
  email: string
  role: Role
  createdAt: Date
  /** number of sessions that have not ended */
  sessions: number
  /** ids of the boards that the user moderates */
  moderates: string[]
  /** whether the user has an authenticator app or a passkey */
  hasSecondFactor: boolean
}

/** A user with a password that is shown only once. */
export type NewPassword = { email: string; password: string }

export const SESSION_ENDED = 'Your session has ended'

/** Local storage key of the bearer token. */
export const TOKEN_KEY = 'dtpchan_token'
