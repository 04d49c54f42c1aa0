import type { CaptchaChallenge } from '#src/contract/captcha.ts'
import { t } from '#src/i18n/t.ts'

/** Returns the question in the language of the page. The documented call asks in English: 'What is 7 + 5?'. */
export const captchaQuestion = ({ question }: Pick<CaptchaChallenge, 'question'>): string =>
  t('ui.captchaQuestion', { sum: question.replace(/^What is |\?$/g, '') })
