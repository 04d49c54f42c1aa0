import type { Role } from './roles.ts'
import type { OwnStreamer } from './streamerAnswers.ts'

export type { AuthUser } from './authAnswers.ts'
export { ROLES, type Role } from './roles.ts'

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
  /** null if the user may not stream */
  streamer: OwnStreamer | null
}

/** A user with a password that is shown only once. */
export type NewPassword = { email: string; password: string }

/** Local storage key of the bearer token. */
export const TOKEN_KEY = 'dtpchan_token'
