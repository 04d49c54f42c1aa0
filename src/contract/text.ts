import { z } from 'zod'
import type { TextKey } from '#src/i18n/types.ts'
import { type Refusal, refusal } from './refusal.ts'

/** PostgreSQL rejects NUL, and UTF-8 cannot encode a lone surrogate. */
export const isStorable = (value: string) => !value.includes('\0') && value.isWellFormed()

/**
 * Matches more combining marks in a row than any language has. The halfwidth voiced sound marks become combining
 * marks when they are normalized. The SQL function `search_fold` has the same characters and number.
 */
const LONG_MARK_RUN = /[\p{M}\uff9e\uff9f]{17,}/gu

/** Bounds the time of `normalize`, which is quadratic for a run of combining marks: 26 s for 260,000 of them. */
export const removeLongMarkRuns = (text: string): string => text.replace(LONG_MARK_RUN, '')

/** Matches a visible character. Every text needs one, because a link or heading with this text would look empty. */
const VISIBLE = /[^\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u

/**
 * @param message error if the text is missing, not a string, blank, invisible or too short
 * @param label field name for the error if the text is too long
 * @param max in Unicode characters (not UTF-16 units) @param min counted after trimming
 */
export function text(message: Refusal, label: TextKey, max: number, min = 1, trim = (value: string) => value.trim()) {
  return (
    z
      .string(message)
      .refine(isStorable, { message: refusal('failure.unstorable'), abort: true })
      // Browsers send CRLF in forms. The server stores and counts line breaks as LF.
      .overwrite((value) => trim(value.replace(/\r\n?/g, '\n')))
      .min(min, message)
      .refine((value) => VISIBLE.test(value), message)
      .max(max, refusal('failure.tooLong', { label, max }))
  )
}

/** Like `text`, but keeps the spaces before the first line: it may be a picture of characters. */
export const indentedText = (message: Refusal, label: TextKey, max: number) =>
  text(message, label, max, 1, (value) => value.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd())

/** Matches line breaks, control characters and direction marks: they could reorder or hide nearby text. */
export const UNSAFE_IN_LINE = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
/** Like UNSAFE_IN_LINE, but allows tabs and line breaks. */
const UNSAFE_IN_LINES = /[^\P{Cc}\t\n]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

export const singleLine = (...[message, label, max, min]: Parameters<typeof text>) =>
  text(message, label, max, min).refine((value) => !UNSAFE_IN_LINE.test(value), refusal('failure.oneLine', { label }))

/** Like `multiLine`, but may be empty. */
export const optionalLines = (message: Refusal, label: TextKey, max: number) =>
  z
    .string(message)
    .refine(isStorable, { message: refusal('failure.unstorable'), abort: true })
    .overwrite((value) => value.replace(/\r\n?/g, '\n'))
    .trim()
    .max(max, refusal('failure.tooLong', { label, max }))
    .refine((value) => !UNSAFE_IN_LINES.test(value), refusal('failure.controlCharacters', { label }))

export const multiLine = (...[message, label, max, min]: Parameters<typeof text>) =>
  text(message, label, max, min).refine(
    (value) => !UNSAFE_IN_LINES.test(value),
    refusal('failure.controlCharacters', { label }),
  )
