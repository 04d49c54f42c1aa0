/** Excludes offsets such as `+01:00`, which know no summer time, and limits the length of what is looked up. */
const NAME = /^[A-Za-z][A-Za-z0-9_+/-]{1,49}$/

/** Returns whether a text is an IANA name of a time zone that this program knows. */
export function isTimeZone(name: string): boolean {
  if (!NAME.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
