import { z } from 'zod'

export const ILL_FORMED_TEXT = 'Text contains characters that cannot be stored'

/** NUL cannot be stored by PostgreSQL, and a lone surrogate has no UTF-8 form: both would be lost or refused later. */
export const isStorable = (value: string) => !value.includes('\0') && value.isWellFormed()

/** Anything to be seen: a link or a heading of what only joins, steers or fills would be there for nobody. */
const SEEN = /[^\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u

/**
 * One text field of a form: trimmed, not empty, bounded, storable.
 * @param message what is said when it is missing, of a wrong type, blank or invisible
 * @param max longest length in Unicode characters (not UTF-16 units); `label` names the field in that refusal
 * @param min shortest length after trimming; below it `message` is said
 */
export function text(message: string, label: string, max: number, min = 1) {
  return (
    z
      .string(message)
      .refine(isStorable, { message: ILL_FORMED_TEXT, abort: true })
      // Browsers send forms with CRLF; one kind of line end is stored, and counted.
      .overwrite((value) => value.replace(/\r\n?/g, '\n'))
      .trim()
      .min(min, message)
      .refine((value) => SEEN.test(value), message)
      .max(max, `${label} must be at most ${max} characters`)
  )
}

/** Line ends, control characters, and the invisible marks that turn the direction of the text around them. */
const STEERS = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
/** The same without tabs and line ends, for texts of several lines. */
const STEERS_LINES = /[^\P{Cc}\t\n]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/**
 * A title or a name: as `text`, in one line, without characters that could reorder or hide what stands around it.
 */
export const singleLine = (...[message, label, max, min]: Parameters<typeof text>) =>
  text(message, label, max, min).refine(
    (value) => !STEERS.test(value),
    `${label} must be one line without control or text direction characters`,
  )

/** A description: as `singleLine`, but of several lines. */
export const multiLine = (...[message, label, max, min]: Parameters<typeof text>) =>
  text(message, label, max, min).refine(
    (value) => !STEERS_LINES.test(value),
    `${label} must not contain control or text direction characters`,
  )
