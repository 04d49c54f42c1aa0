import { removeLongMarkRuns } from '#src/contract/text.ts'
import { POST_LINKS } from '#src/lib/markup.ts'

/** Invisible characters, such as zero-width spaces and soft hyphens. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu
/** Combining marks that do not belong to a script, such as strokes and accents that NFKC did not compose. */
const LOOSE_MARKS = /[\p{Mn}&&\p{Script=Inherited}]/gv

const URL_TEXT = /https?:\/\/[^\s<>"]+/giu

/** Tags of spoilers, which could split a word. */
export const SPOILER_TAG = /\[\/?spoiler\]/gi

/**
 * Splits a text at its links to posts and boards, and at its URLs. Every second part is one.
 * @param isBoard whether a board exists: the name of any other is text
 */
export function splitAtLinks(text: string, { withUrls, isBoard }: { withUrls: boolean; isBoard: IsBoard }): string[] {
  const links = withUrls ? new RegExp(`${POST_LINKS.source}|${URL_TEXT.source}`, 'giu') : POST_LINKS
  const parts: string[] = []
  let at = 0
  for (const { 0: link, 1: id, index } of text.matchAll(links)) {
    if (id !== undefined && !isBoard(id.toLowerCase())) continue
    parts.push(text.slice(at, index), link)
    at = index + link.length
  }
  return [...parts, text.slice(at)]
}

/** Returns whether a board with this id exists. */
export type IsBoard = (id: string) => boolean

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
