import { z } from 'zod'

export const ILL_FORMED_TEXT = 'Text contains characters that cannot be stored'

/** PostgreSQL rejects NUL, and UTF-8 cannot encode a lone surrogate. */
export const isStorable = (value: string) => !value.includes('\0') && value.isWellFormed()

/** Requires a visible character, because links and headings without one cannot be seen. */
const VISIBLE = /[^\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u

/**
 * @param message error if the text is missing, blank, invisible or too short, or not a string
 * @param label name of the field in the error for a long text
 * @param max Unicode characters (not UTF-16 units) @param min after trimming
 */
export function text(message: string, label: string, max: number, min = 1) {
  return (
    z
      .string(message)
      .refine(isStorable, { message: ILL_FORMED_TEXT, abort: true })
      // Browsers send CRLF in forms. Line ends are stored and counted as LF.
      .overwrite((value) => value.replace(/\r\n?/g, '\n'))
      .trim()
      .min(min, message)
      .refine((value) => VISIBLE.test(value), message)
      .max(max, `${label} must be at most ${max} characters`)
  )
}

/** Line ends, control characters and direction marks, which could reorder or hide the text around them. */
const UNSAFE_IN_LINE = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
/** The same without tabs and line ends. */
const UNSAFE_IN_LINES = /[^\P{Cc}\t\n]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

export const singleLine = (...[message, label, max, min]: Parameters<typeof text>) =>
  text(message, label, max, min).refine(
    (value) => !UNSAFE_IN_LINE.test(value),
    `${label} must be one line without control or text direction characters`,
  )

export const multiLine = (...[message, label, max, min]: Parameters<typeof text>) =>
  text(message, label, max, min).refine(
    (value) => !UNSAFE_IN_LINES.test(value),
    `${label} must not contain control or text direction characters`,
  )
