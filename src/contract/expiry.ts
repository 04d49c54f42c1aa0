export const EXPIRY_HOURS = [1, 6, 12, 24, 48, 168] as const
export type ExpiryHours = (typeof EXPIRY_HOURS)[number]
export const DEFAULT_EXPIRY: ExpiryHours = 24

/** Returns the expiry that a form field names, or the default. */
export const parseExpiry = (text: string | undefined): ExpiryHours =>
  EXPIRY_HOURS.find((hours) => String(hours) === text) ?? DEFAULT_EXPIRY

export const EXPIRY_REQUIRED = `Expiration must be one of ${EXPIRY_HOURS.join(', ')} hours`

/** Returns 'Xh Ym remaining', 'Ym remaining' under an hour, or 'Expired'. */
export function remainingText(expiresAt: number, now: number): string {
  const minutes = Math.floor((expiresAt - now) / 60_000)
  if (expiresAt <= now) return 'Expired'
  return minutes < 60 ? `${minutes}m remaining` : `${Math.floor(minutes / 60)}h ${minutes % 60}m remaining`
}
