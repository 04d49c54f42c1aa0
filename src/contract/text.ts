import { z } from 'zod'
import { ILL_FORMED_TEXT, isStorable } from './storableText.ts'

/** Matches a visible character. Every text needs one, because a link or heading with this text would look empty. */
const VISIBLE = /[^\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u

/**
 * @param message error if the text is missing, not a string, blank, invisible or too short
 * @param label field name for the error if the text is too long
 * @param max in Unicode characters (not UTF-16 units) @param min counted after trimming
 */
export function text(message: string, label: string, max: number, min = 1) {
  return (
    z
      .string(message)
      .refine(isStorable, { message: ILL_FORMED_TEXT, abort: true })
      // Browsers send CRLF in forms. The server stores and counts line breaks as LF.
      .overwrite((value) => value.replace(/\r\n?/g, '\n'))
      .trim()
      .min(min, message)
      .refine((value) => VISIBLE.test(value), message)
      .max(max, `${label} must be at most ${max} characters`)
  )
}

/** Matches line breaks, control characters and direction marks: they could reorder or hide nearby text. */
export const UNSAFE_IN_LINE = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
/** Like UNSAFE_IN_LINE, but allows tabs and line breaks. */
const UNSAFE_IN_LINES = /[^\P{Cc}\t\n]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

export const singleLine = (...[message, label, max, min]: Parameters<typeof text>) =>
  text(message, label, max, min).refine(
    (value) => !UNSAFE_IN_LINE.test(value),
    `${label} must be one line without control or text direction characters`,
  )

/** Like `multiLine`, but may be empty. */
export const optionalLines = (message: string, label: string, max: number) =>
  z
    .string(message)
    .refine(isStorable, { message: ILL_FORMED_TEXT, abort: true })
    .overwrite((value) => value.replace(/\r\n?/g, '\n'))
    .trim()
    .max(max, `${label} must be at most ${max} characters`)
    .refine((value) => !UNSAFE_IN_LINES.test(value), `${label} must not contain control or text direction characters`)

export const multiLine = (...[message, label, max, min]: Parameters<typeof text>) =>
  text(message, label, max, min).refine(
    (value) => !UNSAFE_IN_LINES.test(value),
    `${label} must not contain control or text direction characters`,
  )
