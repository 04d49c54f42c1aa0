export const captchaMessages = {
  required: 'Please solve the captcha',
  refused: 'The captcha answer is wrong or has expired',
} as const

/** A sealed challenge; the answer travels in `challengeId`, encrypted. */
export type CaptchaChallenge = { challengeId: string; question: string }
