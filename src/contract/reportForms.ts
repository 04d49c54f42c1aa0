import { z } from 'zod'
import { captchaMessages } from './captcha.ts'
import { REPORT_REASONS } from './moderation.ts'
import { pathNumber } from './pathNumber.ts'
import { REPORT_ACTIONS, reportLimits, reportMessages } from './reports.ts'
import { multiLine, singleLine } from './text.ts'

const isBlank = (value: unknown) => value === undefined || (typeof value === 'string' && value.trim() === '')

const optionalText = (message: string, label: string, max: number) =>
  z.preprocess((value) => (isBlank(value) ? undefined : value), multiLine(message, label, max).optional())

const url = singleLine(reportMessages.url, 'URL', reportLimits.url)

export const reportForm = z.object({
  url,
  /** number of a post in the thread that `url` names */
  post: z.preprocess(
    (value) => (isBlank(value) ? undefined : value),
    z.coerce
      .string()
      .trim()
      .regex(/^[1-9]\d{0,14}$/, reportMessages.postNumber)
      .optional(),
  ),
  reason: z.enum(REPORT_REASONS, reportMessages.reason),
  text: optionalText(reportMessages.text, 'Text', reportLimits.text),
  captchaAnswer: z
    .union([z.string(), z.number()], captchaMessages.required)
    .transform((value) => String(value).trim())
    .refine((value) => value !== '', captchaMessages.required),
  challengeId: z.string(captchaMessages.required).min(1, captchaMessages.required).max(512, captchaMessages.refused),
})
export type ReportForm = z.output<typeof reportForm>

const reason = optionalText(reportMessages.text, 'Reason', reportLimits.reason)

export const takedownForm = z.object({ url, reason })

export const resolveForm = z.object({
  reportId: pathNumber,
  action: z.enum(REPORT_ACTIONS),
  reason,
})
