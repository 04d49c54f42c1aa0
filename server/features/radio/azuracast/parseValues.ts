export type Json = Record<string, unknown>

/** Parsers for untrusted JSON. For invalid values they return null or an empty value. */

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const toObject = (value: unknown): Json => (isObject(value) ? value : {})

/** Accepts an array, an object with `rows`, or an object with numeric keys, PHP's encoding of a list with gaps. */
export function parseList(value: unknown): unknown[] | null {
  if (Array.isArray(value)) return value
  if (!isObject(value)) return null
  if (Array.isArray(value.rows)) return value.rows
  const names = Object.keys(value)
  return names.length > 0 && names.every((name) => /^\d+$/.test(name)) ? Object.values(value) : null
}

export function parseId(value: unknown): number | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null
  return /^\d{1,15}$/.test(String(value)) ? Number(value) : null
}

/** Parses a number and caps it at `max`. Returns null for negative or invalid values. */
export function parseNumber(value: unknown, max: number): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && number >= 0 ? Math.min(number, max) : null
}

const CONTROL_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\ufeff]+/gu

export function parseLine(value: unknown, maxLength: number): string {
  const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : value
  if (typeof text !== 'string') return ''
  // Slice first to limit the work for huge texts. Keep extra characters, because the next steps remove some.
  const line = text
    .slice(0, maxLength * 4)
    .toWellFormed()
    .replace(CONTROL_CHARACTERS, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
  return [...line].slice(0, maxLength).join('').trim()
}

const ISO = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d:?\d\d)?$/i
/** 9999-12-31T23:59:59Z */
const LAST_SECOND = 253_402_300_799

/** Converts ISO dates and Unix seconds to ISO. Returns null for 0 and invalid values. */
export function parseInstant(value: unknown): string | null {
  const seconds = parseNumber(value, Number.MAX_VALUE)
  if (seconds !== null) return seconds > 0 && seconds <= LAST_SECOND ? new Date(seconds * 1000).toISOString() : null
  const [, day, time, zone = 'Z'] = (typeof value === 'string' && ISO.exec(value)) || []
  const instant = Date.parse(`${day}T${time}${zone}`)
  return Number.isNaN(instant) || instant <= 0 ? null : new Date(instant).toISOString()
}
