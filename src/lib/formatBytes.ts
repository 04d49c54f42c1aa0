import { formatNumber } from '#src/i18n/formatText.ts'
import { t } from '#src/i18n/t.ts'

const KB = 1024
const MB = 1024 * KB
const GB = 1024 * MB

export function formatBytes(bytes: number): string {
  if (bytes < KB) return t('ui.bytes', { count: bytes })
  if (bytes < MB) return `${digits(bytes / KB, 1)} kB`
  return bytes < GB ? `${digits(bytes / MB, 2)} MB` : `${digits(bytes / GB, 1)} GB`
}

const digits = (value: number, count: number) =>
  formatNumber(value, { minimumFractionDigits: count, maximumFractionDigits: count })

const ONE_DECIMAL = { minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false } as const

/** The size of a recording, always in the same unit. */
export const formatMegabytes = (bytes: number) =>
  t('image.sizeInMegabytes', { size: formatNumber(bytes / MB, ONE_DECIMAL) })

/** The size of many recordings. */
export const formatSize = (bytes: number) =>
  bytes < GB ? formatMegabytes(bytes) : t('archive.gigabytes', { size: formatNumber(bytes / GB, ONE_DECIMAL) })
