import { z } from 'zod'
import type { TextKey } from '#src/i18n/types.ts'
import { REPORT_REASONS } from './moderation.ts'
import { pathNumber } from './pathNumber.ts'
import { type Refusal, refusal } from './refusal.ts'
import { REPORT_ACTIONS, reportLimits } from './reports.ts'
import { multiLine, singleLine } from './text.ts'

const isBlank = (value: unknown) => value === undefined || (typeof value === 'string' && value.trim() === '')

const optionalText = (message: Refusal, label: TextKey, max: number) =>
  z.preprocess((value) => (isBlank(value) ? undefined : value), multiLine(message, label, max).optional())

const url = singleLine(refusal('moderation.reportUrlRefusal'), 'field.url', reportLimits.url)

export const reportForm = z.object({
  url,
  /** number of a post in the thread that `url` names */
  post: z.preprocess(
    (value) => (isBlank(value) ? undefined : value),
    z.coerce
      .string()
      .trim()
      .regex(/^[1-9]\d{0,14}$/, refusal('moderation.reportPostNumber'))
      .optional(),
  ),
  reason: z.enum(REPORT_REASONS, refusal('moderation.reportReason')),
  text: optionalText(refusal('moderation.reportText'), 'field.text', reportLimits.text),
  captchaAnswer: z
    .union([z.string(), z.number()], refusal('board.captchaRequired'))
    .transform((value) => String(value).trim())
    .refine((value) => value !== '', refusal('board.captchaRequired')),
  challengeId: z
    .string(refusal('board.captchaRequired'))
    .min(1, refusal('board.captchaRequired'))
    .max(512, refusal('board.captchaRefused')),
})
export type ReportForm = z.output<typeof reportForm>

const reason = optionalText(refusal('moderation.reportText'), 'field.reason', reportLimits.reason)

export const takedownForm = z.object({ url, reason })

export const resolveForm = z.object({
  reportId: pathNumber,
  action: z.enum(REPORT_ACTIONS),
  reason,
})
