import { isoSeconds, utcDateTime } from '#src/lib/formatTime.ts'

/** Renders a time as UTC, and hides the zone if scripts run. They change it to the visitor's time (`src/features/board/post/localTimes.ts`). */
export const timeHtml = (date: Date): string =>
  `<time datetime=${isoSeconds(date)}>${utcDateTime(date)}<i> UTC</i></time>`
