import { z } from 'zod'
import { ILL_FORMED_TEXT, isStorable } from './storableText.ts'

export type { LoginResult } from './authAnswers.ts'

export const authMessages = {
  required: 'Email and password are required',
  invalid: 'Invalid credentials',
  loginRequired: 'You must be logged in',
  forbidden: 'You are not allowed to do this',
  passwordsRequired: 'The current and the new password are required',
  passwordShort: 'A password has at least 8 characters',
  passwordLong: 'A password has at most 1,024 characters',
  passwordWrong: 'The current password is wrong',
  passwordSame: 'The new password is the current one',
  codeRequired: 'Enter the code of your authenticator app, or a recovery code',
  codeWrong: 'The code is wrong or was used before',
  passkeyRefused: 'The passkey was not accepted',
  passkeyFailed: 'Failed to use the passkey',
  passkeyName: 'A passkey needs a name of at most 64 characters',
  setupExpired: 'This took too long. Please start again.',
  factorFailed: 'Failed to change the second factor',
} as const

const required = z.string(authMessages.required)

export const loginInput = z.object({
  email: required
    .trim()
    .min(1, authMessages.required)
    .max(254, authMessages.invalid)
    .refine(isStorable, ILL_FORMED_TEXT),
  password: required.min(1, authMessages.required).max(1024, authMessages.invalid),
  /** six digits of an authenticator app, or a recovery code */
  code: z.string(authMessages.codeWrong).max(64, authMessages.codeWrong).optional(),
})
export type LoginInput = z.infer<typeof loginInput>

export const chosenPassword = z
  .string(authMessages.passwordsRequired)
  .min(8, authMessages.passwordShort)
  .max(1024, authMessages.passwordLong)

export const passwordChange = z.object({
  currentPassword: z
    .string(authMessages.passwordsRequired)
    .min(1, authMessages.passwordsRequired)
    .max(1024, authMessages.passwordWrong),
  newPassword: chosenPassword,
})
export type PasswordChange = z.infer<typeof passwordChange>
