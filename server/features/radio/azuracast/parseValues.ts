export type Json = Record<string, unknown>

/** Readers for answers of others: whatever they are given, they give what was asked for or nothing. */

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const toObject = (value: unknown): Json => (isObject(value) ? value : {})

/** A list as it is, in `rows`, or as an object with numbers for names, which PHP makes of a list with gaps. */
export function parseList(value: unknown): unknown[] | null {
  if (Array.isArray(value)) return value
  if (!isObject(value)) return null
  if (Array.isArray(value.rows)) return value.rows
  const names = Object.keys(value)
  return names.length > 0 && names.every((name) => /^\d+$/.test(name)) ? Object.values(value) : null
}

/** A whole positive number, also written as text. */
export function parseId(value: unknown): number | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null
  return /^\d{1,15}$/.test(String(value)) ? Number(value) : null
}

/** A number from 0 to `most`; what is more is `most`, what is less or no number is nothing. */
export function parseNumber(value: unknown, most: number): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && number >= 0 ? Math.min(number, most) : null
}

/** Line ends, controls, and what turns the direction of the text that follows. */
const CONTROL_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\ufeff]+/gu

/** One line of text of at most `most` characters; empty for what is none. */
export function parseLine(value: unknown, most: number): string {
  const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : value
  if (typeof text !== 'string') return ''
  // A little more than is kept: what is cleaned away must not cost the rest, and a book must not be worked through.
  const line = text
    .slice(0, most * 4)
    .toWellFormed()
    .replace(CONTROL_CHARACTERS, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
  return [...line].slice(0, most).join('').trim()
}

const ISO = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d:?\d\d)?$/i
/** The last second of the year 9999. */
const LAST_SECOND = 253_402_300_799

/** An instant as ISO, from ISO or Unix seconds; null for 0 and for what is none. */
export function parseInstant(value: unknown): string | null {
  const seconds = parseNumber(value, Number.MAX_VALUE)
  if (seconds !== null) return seconds > 0 && seconds <= LAST_SECOND ? new Date(seconds * 1000).toISOString() : null
  const [, day, time, zone = 'Z'] = (typeof value === 'string' && ISO.exec(value)) || []
  const instant = Date.parse(`${day}T${time}${zone}`)
  return Number.isNaN(instant) || instant <= 0 ? null : new Date(instant).toISOString()
}
