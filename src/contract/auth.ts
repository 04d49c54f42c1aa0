import { z } from 'zod'

/** What a user may do beyond a guest. A board's moderators are members named on it. */
export const ROLES = ['admin', 'member'] as const
export type Role = (typeof ROLES)[number]

/** Who is logged in, as the client may know it. */
export type AuthUser = { email: string; role: Role }

export const authMessages = {
  required: 'Email and password are required',
  invalid: 'Invalid credentials',
  failed: 'Login failed',
  loginRequired: 'You must be logged in',
  forbidden: 'You are not allowed to do this',
} as const

/** Local storage key under which the client keeps its bearer token. */
export const TOKEN_KEY = 'dtpchan_token'

const required = z.string(authMessages.required)

export const loginInput = z.object({
  email: required.trim().min(1, authMessages.required).max(254, authMessages.invalid),
  password: required.min(1, authMessages.required).max(1024, authMessages.invalid),
})
export type LoginInput = z.infer<typeof loginInput>

/** Answer of a login: the token is what the client sends as `Authorization: Bearer`. */
export type LoginResult = { token: string; user: AuthUser }
