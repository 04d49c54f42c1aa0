export type { CaptchaChallenge, ProofOfWorkChallenge } from './captchaAnswers.ts'

/** Limits the memory for a proof of work; solutions have about 900 characters. */
export const MAX_PROOF_LENGTH = 2000
