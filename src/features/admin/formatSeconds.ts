/** Returns a duration in its largest unit, such as '0.05 s', '20 s', '5 min', '6 h' or '7 d'. */
export function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${Number(seconds.toPrecision(2))} s`
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`
  return seconds < 48 * 3600 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} d`
}
