export const captchaMessages = {
  required: 'Please solve the captcha',
  refused: 'The captcha answer is wrong or has expired',
} as const

/** `challengeId` contains the encrypted answer. */
export type CaptchaChallenge = { challengeId: string; question: string }
