const padTwo = (value: number) => String(value).padStart(2, '0')

/** Formats as '3:05', '44:51' or '1:58:02'. */
export function formatClockTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return `${minutes}:${padTwo(whole % 60)}`
  return `${Math.floor(minutes / 60)}:${padTwo(minutes % 60)}:${padTwo(whole % 60)}`
}
