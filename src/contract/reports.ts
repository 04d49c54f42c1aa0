export type { ReportedContent, ReportedItem } from './reportAnswers.ts'

export const reportLimits = { url: 2000, text: 2000, reason: 200 } as const

/** Decisions of moderators on a reported item. */
export const REPORT_ACTIONS = ['dismiss', 'delete', 'take-down'] as const
export type ReportAction = (typeof REPORT_ACTIONS)[number]
