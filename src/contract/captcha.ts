export type { CaptchaChallenge, ProofOfWorkChallenge } from './captchaAnswers.ts'

export const captchaMessages = {
  required: 'Please solve the captcha',
  refused: 'Wrong or expired answer. Your text is safe; solve the new one.',
} as const

/** Limits the memory for a proof of work; solutions have about 900 characters. */
export const MAX_PROOF_LENGTH = 2000
