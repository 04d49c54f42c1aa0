export const captchaMessages = {
  required: 'Please solve the captcha',
  refused: 'Wrong or expired answer. Your text is safe; solve the new one.',
} as const

/** An ALTCHA challenge (version 2). The solver looks for a counter whose derived key starts with `keyPrefix`. */
export type ProofOfWorkChallenge = {
  parameters: {
    algorithm: string
    nonce: string
    salt: string
    cost: number
    keyLength: number
    keyPrefix: string
    data?: Record<string, string | number | boolean | null>
  }
  signature?: string
}

/** `challengeId` contains the encrypted answer. `proofOfWork` is set while posts need a proof of work. */
export type CaptchaChallenge = { challengeId: string; question: string; proofOfWork?: ProofOfWorkChallenge }

/** Limits the memory for a proof of work; solutions have about 900 characters. */
export const MAX_PROOF_LENGTH = 2000
