import { removeLongMarkRuns } from '#src/contract/text.ts'

/** Invisible characters, such as zero-width spaces and soft hyphens. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu
/** Combining marks that do not belong to a script, such as strokes and accents that NFKC did not compose. */
const LOOSE_MARKS = /[\p{Mn}&&\p{Script=Inherited}]/gv

/** `>>123`, as posts show it, and `>>>/board/123`, with or without the number. */
const POST_LINK = /(?<!>)(?:>>[1-9]\d{0,14}|>>>\/[a-z0-9-]{1,40}\/(?:[1-9]\d{0,14})?)(?!\d)/gi
const URL_TEXT = /https?:\/\/[^\s<>"]+/giu

/** Removes links to posts from what the author typed. A space takes their place, so that no words join. */
export const withoutPostLinks = (text: string): string => text.replace(POST_LINK, ' ')

/** Splits a text at its links to posts. Every second part is such a link. */
export const splitAtPostLinks = (text: string): string[] => text.split(new RegExp(`(${POST_LINK.source})`, 'gi'))

/** Splits a text at its links to posts and its URLs. Every second part is one. */
export const splitAtUrls = (text: string): string[] =>
  text.split(new RegExp(`(${POST_LINK.source}|${URL_TEXT.source})`, 'giu'))

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
