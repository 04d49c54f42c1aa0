/** 4chan's times are in the time zone of New York. */
const formatter = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  year: '2-digit',
  month: '2-digit',
  day: '2-digit',
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})

/** Formats a time as `12/31/18(Mon)17:05:48`. */
export function formatPostTime(time: Date): string {
  const parts = Object.fromEntries(formatter.formatToParts(time).map(({ type, value }) => [type, value]))
  const { month, day, year, weekday, hour, minute, second } = parts
  return `${month}/${day}/${year}(${weekday})${hour}:${minute}:${second}`
}

export const toSeconds = (time: Date): number => Math.floor(time.getTime() / 1000)
