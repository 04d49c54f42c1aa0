import { isoSeconds, utcDateTime } from '#src/lib/formatTime.ts'

/** Renders a time as UTC. Scripts change it to the visitor's time (`src/features/board/post/localTimes.ts`). */
export const timeHtml = (date: Date): string => `<time datetime=${isoSeconds(date)}>${utcDateTime(date)}</time>`
