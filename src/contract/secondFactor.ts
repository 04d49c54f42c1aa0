import { z } from 'zod'
import { refusal } from './refusal.ts'
import { isStorable } from './storableText.ts'
import { singleLine } from './text.ts'

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

export type SessionView = {
  id: string
  /** browser and system; empty if unknown */
  client: string
  createdAt: Date
  usedAt: Date
  current: boolean
}
