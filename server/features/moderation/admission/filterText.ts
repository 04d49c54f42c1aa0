import { removeLongMarkRuns } from '#src/contract/text.ts'
import { POST_LINKS } from '#src/lib/markup.ts'

/** Invisible characters, such as zero-width spaces and soft hyphens. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu
/** Combining marks that do not belong to a script, such as strokes and accents that NFKC did not compose. */
const LOOSE_MARKS = /[\p{Mn}&&\p{Script=Inherited}]/gv

const URL_TEXT = /https?:\/\/[^\s<>"]+/giu

/** Tags of spoilers, which could split a word. */
export const SPOILER_TAG = /\[\/?spoiler\]/gi

/** Splits a text at its links to posts. Every second part is such a link. */
export const splitAtPostLinks = (text: string): string[] => text.split(new RegExp(`(${POST_LINKS.source})`, 'gi'))

/** Splits a text at its links to posts and its URLs. Every second part is one. */
export const splitAtUrls = (text: string): string[] =>
  text.split(new RegExp(`(${POST_LINKS.source}|${URL_TEXT.source})`, 'giu'))

/** Removes URLs from a cleaned text. */
export const withoutUrls = (cleaned: string): string => cleaned.replace(URL_TEXT, ' ')

/**
 * Normalizes a text for filters, so that other forms of the same letters and characters that nobody sees do not evade
 * a filter. Keeps case and line breaks.
 */
export function cleanText(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text
  return removeLongMarkRuns(text.replace(INVISIBLE, '')).normalize('NFKC').replace(LOOSE_MARKS, '')
}
