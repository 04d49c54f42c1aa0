import { formatNumber } from '#src/i18n/formatText.ts'
import { t } from '#src/i18n/t.ts'

/** Returns a duration in its largest unit, such as '0.05 s', '20 s', '5 min', '6 h' or '7 d'. */
export function formatSeconds(seconds: number): string {
  if (seconds < 60) return t('admin.durationSeconds', { count: formatNumber(seconds, { maximumSignificantDigits: 2 }) })
  if (seconds < 3600) return t('time.minutes', { count: Math.round(seconds / 60) })
  if (seconds < 48 * 3600) return t('time.hours', { count: Math.round(seconds / 3600) })
  return t('admin.durationDays', { count: Math.round(seconds / 86_400) })
}
