const HOUR_MS = 60 * 60 * 1000

/** Offsets from UTC in hours. Ambiguous names have the meaning that most feeds use. */
const ZONES = new Map(
  [
    'wet 0, west 1, bst 1, cet 1, cest 2, mez 1, mesz 2, met 1, mest 2, eet 2, eest 3, sast 2, msk 3, msd 4, trt 3',
    'idt 3, gst 4, pkt 5, ist 5.5, npt 5.75, ict 7, wib 7, hkt 8, sgt 8, myt 8, pht 8, awst 8, jst 9, kst 9',
    'acst 9.5, acdt 10.5, aest 10, aedt 11, nzst 12, nzdt 13, nst -3.5, ndt -2.5, brt -3, art -3, clt -4',
    'at -4, ast -4, adt -3, et -5, est -5, edt -4, ct -6, cst -6, cdt -5, mt -7, mst -7, mdt -6, pt -8, pst -8, pdt -7',
    'akst -9, akdt -8, hst -10, hdt -9',
  ]
    .flatMap((row) => row.split(', '))
    .map((zone) => zone.split(' '))
    .map(([name = '', hours]) => [name, Number(hours)]),
)
/** RFC 822 zone letters: first west of UTC, then east. The military uses them with the opposite signs. */
const MILITARY = ['abcdefghiklm', 'nopqrstuvwxy']

/**
 * Parses `23:56:58.25 +0200`, `3:09pm EST` or `T235658Z`. Treats an empty text as midnight.
 * @returns null if invalid
 */
export function parseTime(text: string): { milliseconds: number; zone: string } | null {
  const time = text.replace(/^[T ,@-]*(?:at |um |à )?/i, '')
  if (time === '') return { milliseconds: 0, zone: '' }
  const match =
    /^(\d{1,2})[:.h](\d{1,2})(?:[:.](\d{1,2})(?:[.,](\d+))?)?(?![\d:])\s*(?:([ap])\.?m\b\.?)?(.*)$/i.exec(time) ??
    /^(\d{2})(\d{2})(\d{2})?(?:[.,](\d+))?(?!\d)()(.*)$/.exec(time) ??
    /^(\d{1,2})()()()\s?([ap])\.?m\b\.?(.*)$/i.exec(time)
  if (!match)
    return /^(?:[a-z]{1,5}|[+-]?\d\d:?\d\d)$/i.test(text.trim()) ? { milliseconds: 0, zone: text.trim() } : null
  const [, hourText, minute, second, fraction, meridian, zone = ''] = match
  let hour = Number(hourText)
  if (meridian && hour <= 12) hour = (hour % 12) + (meridian.toLowerCase() === 'p' ? 12 : 0)
  const [minutes, seconds, thousandths] = [
    Number(minute || 0),
    Number(second || 0),
    Number(`0.${fraction || 0}`) * 1000,
  ]
  const endOfDay = hour === 24 && minutes === 0 && seconds === 0
  if ((hour > 23 && !endOfDay) || minutes > 59 || seconds > 60) return null
  return { milliseconds: ((hour * 60 + minutes) * 60 + seconds) * 1000 + Math.floor(thousandths), zone }
}

/**
 * Returns a zone's offset from UTC in milliseconds, or 0 for an unknown name.
 * @param local local time, read as if it were UTC, for zones with daylight saving time
 * @returns null for an offset above 14 hours
 */
export function zoneOffset(zone: string, local: number): number | null {
  const name = zone.replace(/^[ ,]+/, '')
  const place = /^[a-z]+\/[a-z][\w+/-]*/i.exec(name)?.[0]
  if (place) return ianaOffset(place, local)
  // Prefer a numeric offset to the name: `EST -0500`, `GMT+02:00`.
  const number = /([+-])(\d{1,2})(?::?(\d{2}))?(?!\d)/.exec(name)
  if (number) {
    const [, sign, hours, minutes] = number
    const offset = (Number(hours) + Number(minutes ?? 0) / 60) * HOUR_MS
    if (offset > 14 * HOUR_MS || Number(minutes ?? 0) > 59) return null
    return sign === '-' ? -offset : offset
  }
  const letters = /^[a-z]+/i.exec(name)?.[0].toLowerCase() ?? ''
  if (letters.length === 1 && letters !== 'z') return militaryOffset(letters)
  return (ZONES.get(letters) ?? 0) * HOUR_MS
}

function militaryOffset(letter: string): number {
  const [west = '', east = ''] = MILITARY
  return (east.indexOf(letter) - west.indexOf(letter)) * HOUR_MS
}

function ianaOffset(place: string, local: number): number {
  try {
    const parts = new Intl.DateTimeFormat('en', { timeZone: place, timeZoneName: 'longOffset' }).formatToParts(local)
    const offset = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
    return zoneOffset(offset.replace('GMT', ''), local) ?? 0
  } catch {
    return 0
  }
}
