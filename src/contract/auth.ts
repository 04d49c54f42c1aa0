import { z } from 'zod'
import { type Refusal, refusal } from './refusal.ts'
import { isStorable, singleLine } from './text.ts'

/** There is no moderator role: each board lists the members who moderate it. */
export const ROLES = ['admin', 'member'] as const
export type Role = (typeof ROLES)[number]

/** Local storage key of the bearer token. */
export const TOKEN_KEY = 'dtpchan_token'

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

const newEmail = z
  .string(refusal('admin.userEmail'))
  .trim()
  .toLowerCase()
  .max(254, refusal('admin.userEmail'))
  .pipe(z.email(refusal('admin.userEmail')))
/** Accepts emails that are invalid for new users: the first admin is admin@localhost. */
export const accountEmail = (message: Refusal) =>
  z
    .string(message)
    .trim()
    .toLowerCase()
    .min(1, message)
    .max(254, message)
    .refine(isStorable, refusal('failure.unstorable'))
const email = accountEmail(refusal('admin.userEmail'))
const role = z.enum(ROLES, refusal('admin.userRole', { roles: ROLES.join(' or ') }))

/** The fields of an account that an admin enters. Each one is a column of its table. */
export const newUser = z.object({ email: newEmail, role })
export const userRef = z.object({ email })
export const roleChange = z.object({ email, role })

export type NewUser = z.infer<typeof newUser>
export type RoleChange = z.infer<typeof roleChange>

const currentPassword = z
  .string(refusal('auth.passwordsRequired'))
  .min(1, refusal('auth.passwordWrong'))
  .max(1024, refusal('auth.passwordWrong'))
/** a sealed text that the server gave the client at the start of a setup */
const setup = z.string(refusal('auth.setupExpired')).max(2000, refusal('auth.setupExpired'))
/** The browser's answer. The library of the server checks its fields. */
const credential = z.looseObject({
  id: z.string().max(2000).refine(isStorable),
  rawId: z.string().max(2000),
  type: z.literal('public-key'),
})

/** Every change of the second factor needs the password, so that a stolen session cannot remove it. */
export const passwordCheck = z.object({ currentPassword })

export const totpConfirmation = z.object({
  setup,
  code: z.string(refusal('auth.codeWrong')).max(64, refusal('auth.codeWrong')),
})

export const passkeyConfirmation = z.object({
  setup,
  name: singleLine(refusal('auth.passkeyName'), 'field.name', 64),
  response: credential,
})
export const passkeyRemoval = passwordCheck.extend({ id: z.string().max(2000).refine(isStorable) })
export const passkeyLogin = z.object({ setup, response: credential })
export const sessionEnd = z.object({ id: z.string().max(64).refine(isStorable) })

export type PasskeyView = { id: string; name: string; createdAt: Date; usedAt: Date | null }

export type SecondFactorView = {
  totp: boolean
  passkeys: PasskeyView[]
  /** the only origin at which passkeys work; null if the site is at an IP address, which browsers refuse */
  passkeyOrigin: string | null
  /** how many recovery codes are left */
  recoveryCodes: number
}

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
  streamer: { name: string; isDisabled: boolean } | null
}

/** A user with a password that is shown only once. */
export type NewPassword = { email: string; password: string }
