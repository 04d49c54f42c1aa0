import { isoSeconds, utcDateTime } from '#src/lib/formatTime.ts'

/** Renders a time as UTC. Scripts change it to the visitor's time (`usePreparedPosts.ts`); others show the zone. */
export const timeHtml = (date: Date): string =>
  `<time datetime=${isoSeconds(date)}>${utcDateTime(date)}<span class=zone> UTC</span></time>`
