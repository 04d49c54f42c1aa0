import type { ReportReason } from '#src/contract/reports.ts'
import { t } from '#src/i18n/t.ts'

export const reasonTexts: Record<ReportReason, () => string> = {
  illegal: () => t('moderation.reasonIllegal'),
  personal: () => t('ui.reasonPersonalData'),
  harassment: () => t('moderation.reasonHarassment'),
  spam: () => t('moderation.reasonSpam'),
  'off-topic': () => t('moderation.reasonOffTopic'),
  other: () => t('moderation.reasonOther'),
}
