/** Returns a duration in its largest unit, such as '0.05 s', '20 s', '5 min' or '6 h'. */
export function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${Number(seconds.toPrecision(2))} s`
  return seconds < 3600 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`
}
