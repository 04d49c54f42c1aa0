import { isoSeconds, utcDateTime } from '#src/lib/formatTime.ts'

/** Renders a time as UTC, like `src/ui/Time.tsx`. Scripts change it to the visitor's time (`showLocalTime`). */
export const timeHtml = (date: Date): string =>
  `<time datetime=${isoSeconds(date)}>${utcDateTime(date)}<span class=zone> UTC</span></time>`
