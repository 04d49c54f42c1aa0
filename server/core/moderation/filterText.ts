/** Invisible characters, such as zero-width spaces and soft hyphens. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu
/** Combining marks that do not belong to a script, such as strokes and accents that NFKC did not compose. */
const LOOSE_MARKS = /[\p{Mn}&&\p{Script=Inherited}]/gv
/** `normalize` needs quadratic time for a run of combining marks: 26 s for 260,000 of them. */
const LONG_MARKS = /(\p{M}{4})\p{M}+/gu

/**
 * Normalizes a text for filters, so that other forms of the same letters and characters that nobody sees do not evade
 * a filter. Keeps case and line breaks.
 */
export function cleanText(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text
  return text.replace(INVISIBLE, '').replace(LONG_MARKS, '$1').normalize('NFKC').replace(LOOSE_MARKS, '')
}
