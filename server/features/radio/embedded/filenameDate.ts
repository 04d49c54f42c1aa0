const DATE = /(?<!\d)(\d{4})([-_.]?)(\d{2})\2(\d{2})(?!\d)/
const TIME = /^[-_ T.]{1,3}(\d{2})([-_.:h]?)(\d{2})(?:\2(\d{2}))?(?!\d)/

/** Parses the date and time (UTC) in names such as `2026-11-18`, `20261118` and `stream_20260222-200000`. */
export function parseFilenameDate(name: string): Date | null {
  const date = DATE.exec(name)
  if (!date) return null
  const [match, year, , month, day] = date
  const [, hour = '00', , minute = '00', second = '00'] = TIME.exec(name.slice(date.index + match.length)) ?? []
  return (
    parseExactUtc(`${year}-${month}-${day}T${hour}:${minute}:${second}`) ??
    parseExactUtc(`${year}-${month}-${day}T00:00:00`)
  )
}

/** Returns null for dates such as 31 June, because Date would turn it into 1 July. */
function parseExactUtc(text: string): Date | null {
  const date = new Date(`${text}.000Z`)
  if (Number.isNaN(date.getTime()) || date.toISOString() !== `${text}.000Z`) return null
  return date.getUTCFullYear() >= 1970 ? date : null
}
