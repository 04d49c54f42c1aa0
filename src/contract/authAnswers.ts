import { z } from 'zod'
import { ROLES } from './roles.ts'

export const userSchema = z
  .object({
    email: z.string(),
    role: z.enum(ROLES),
    generatedPassword: z
      .boolean()
      .optional()
      .describe('true until the user replaces the password that the site generated'),
    needsSecondFactor: z
      .boolean()
      .optional()
      .describe('true for an admin who must add a second factor first, and is a member until then'),
  })
  .meta({ id: 'User' })
/** Tokens contain only `email` and `role`. */
export type AuthUser = z.output<typeof userSchema>

export const loginSchema = z.object({ token: z.string().describe('the bearer token'), user: userSchema })
export type LoginResult = z.output<typeof loginSchema>
