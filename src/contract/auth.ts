import { z } from 'zod'
import { ILL_FORMED_TEXT, isStorable } from './text.ts'
import type { AuthUser } from './user.ts'

export const authMessages = {
  required: 'Email and password are required',
  invalid: 'Invalid credentials',
  failed: 'Login failed',
  loginRequired: 'You must be logged in',
  forbidden: 'You are not allowed to do this',
} as const

const required = z.string(authMessages.required)

export const loginInput = z.object({
  email: required
    .trim()
    .min(1, authMessages.required)
    .max(254, authMessages.invalid)
    .refine(isStorable, ILL_FORMED_TEXT),
  password: required.min(1, authMessages.required).max(1024, authMessages.invalid),
})
export type LoginInput = z.infer<typeof loginInput>

/** Answer of a login: the token is what the client sends as `Authorization: Bearer`. */
export type LoginResult = { token: string; user: AuthUser }
