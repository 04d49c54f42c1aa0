import { z } from 'zod'
import { refusal } from './refusal.ts'
import { isStorable } from './storableText.ts'

export type { LoginResult } from './authAnswers.ts'

const required = z.string(refusal('auth.required'))

export const loginInput = z.object({
  email: required
    .trim()
    .min(1, refusal('auth.required'))
    .max(254, refusal('auth.invalid'))
    .refine(isStorable, refusal('failure.unstorable')),
  password: required.min(1, refusal('auth.required')).max(1024, refusal('auth.invalid')),
  /** six digits of an authenticator app, or a recovery code */
  code: z.string(refusal('auth.codeWrong')).max(64, refusal('auth.codeWrong')).optional(),
})
export type LoginInput = z.infer<typeof loginInput>

export const chosenPassword = z
  .string(refusal('auth.passwordsRequired'))
  .min(8, refusal('auth.passwordShort'))
  .max(1024, refusal('auth.passwordLong'))

export const passwordChange = z.object({
  currentPassword: z
    .string(refusal('auth.passwordsRequired'))
    .min(1, refusal('auth.passwordsRequired'))
    .max(1024, refusal('auth.passwordWrong')),
  newPassword: chosenPassword,
})
export type PasswordChange = z.infer<typeof passwordChange>
