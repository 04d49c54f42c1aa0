import { isoSeconds, utcDate, utcDateTime } from '#src/lib/formatTime.ts'

/** Renders a time as UTC. Scripts change it to the visitor's time (`usePreparedPosts.ts`); others show the zone. */
export const timeHtml = (date: Date): string =>
  `<time datetime=${isoSeconds(date)}>${utcDateTime(date)}<span class=zone> UTC</span></time>`

/** Renders a date. Scripts change it to a relative time such as '6 min ago'. */
export const relativeTimeHtml = (date: Date): string =>
  `<time datetime=${isoSeconds(date)} data-relative>${utcDate(date)}</time>`
