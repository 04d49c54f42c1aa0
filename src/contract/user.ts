import type { NewUser } from './auth.ts'
import type { OwnStreamer } from './streamer.ts'

/** A user as admins see it. */
export type UserView = NewUser & {
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
