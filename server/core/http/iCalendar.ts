/** A calendar of events, in UTC. Texts are still unescaped. */
export type Calendar = {
  /** URL of the page with the same content */
  page: string
  title: string
  events: CalendarEvent[]
}

type CalendarEvent = {
  /** unique and permanent */
  id: string
  title: string
  description: string
  startsAt: Date
  endsAt: Date
  updatedAt: Date
}

/** Octets of a line without its break (RFC 5545, 3.1). */
const LINE_BYTES = 75
/** How often subscribers should ask again. */
const REFRESH = 'PT1H'

/** A calendar needs a component (RFC 5545, 3.6). Without events this is one that calendars do not show. */
const UTC = [
  'BEGIN:VTIMEZONE',
  'TZID:UTC',
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0000',
  'TZOFFSETTO:+0000',
  'END:STANDARD',
  'END:VTIMEZONE',
]

/** Writes an iCalendar feed (RFC 5545). */
export const writeCalendar = ({ page, title, events }: Calendar): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:${escapeText(`-//${title}//EN`)}`,
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escapeText(title)}`,
    `NAME:${escapeText(title)}`,
    `REFRESH-INTERVAL;VALUE=DURATION:${REFRESH}`,
    `X-PUBLISHED-TTL:${REFRESH}`,
    ...(events.length > 0 ? events.flatMap((event) => writeEvent(event, page)) : UTC),
    'END:VCALENDAR',
  ]
    .map((line) => `${foldLine(line)}\r\n`)
    .join('')

const writeEvent = ({ id, title, description, startsAt, endsAt, updatedAt }: CalendarEvent, page: string) => [
  'BEGIN:VEVENT',
  `UID:${escapeText(id)}`,
  // The time of the last change, not of this answer: an unchanged feed stays the same.
  `DTSTAMP:${formatTime(updatedAt)}`,
  `DTSTART:${formatTime(startsAt)}`,
  `DTEND:${formatTime(endsAt)}`,
  `SUMMARY:${escapeText(title)}`,
  ...(description ? [`DESCRIPTION:${escapeText(description)}`] : []),
  `URL:${page}`,
  'END:VEVENT',
]

/** YYYYMMDDTHHMMSSZ */
const formatTime = (date: Date) => date.toISOString().replace(/[-:]|\.\d+/g, '')

/** Control characters other than tabs are not allowed, even escaped. */
const escapeText = (text: string) =>
  text
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replace(/[^\P{Cc}\t]/gu, '')

/** Breaks a long line between characters. A continuation starts with a space, which counts. */
function foldLine(line: string): string {
  let folded = ''
  let bytes = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (bytes + size > LINE_BYTES) {
      folded += '\r\n '
      bytes = 1
    }
    folded += character
    bytes += size
  }
  return folded
}
