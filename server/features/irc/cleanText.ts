/** Colours with their numbers. Without the numbers removed, `\x034,1red` would read "4,1red". */
// biome-ignore lint/suspicious/noControlCharactersInRegex: formatting on IRC consists of control characters
const COLOURS = /\x03(?:\d{1,2}(?:,\d{1,2})?)?|\x04(?:[\da-f]{6}(?:,[\da-f]{6})?)?/gi
/** Bold, reset, monospace, reverse, italics, strike-through and underline. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: formatting on IRC consists of control characters
const FORMATS = /[\x02\x0f\x11\x12\x16\x1d\x1e\x1f]/g
/** Other control characters, among them CR, LF, NUL and CTCP's \x01, and all separators of lines. */
const CONTROLS = /[\p{Cc}\u2028\u2029]+/gu
/** Invisible characters. Some of them reverse the direction of a line. Emoji need the joiners U+200C and U+200D. */
const INVISIBLE = /(?![\u200c\u200d])[\p{Cf}\u{e0000}-\u{e0fff}]/gu

const ELLIPSIS = '…'
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Returns a text as one line without formatting, so that it can contain neither commands nor colours. */
export const cleanText = (text: string): string =>
  text
    .toWellFormed()
    .replace(COLOURS, '')
    .replace(FORMATS, '')
    .replace(INVISIBLE, '')
    .replace(CONTROLS, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** Cuts a text to a number of bytes in UTF-8, never within a character as people see it. */
export function cutText(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text
  const room = maxBytes - Buffer.byteLength(ELLIPSIS)
  let kept = ''
  let bytes = 0
  // A character has at least one byte, so later ones cannot fit.
  for (const { segment } of segmenter.segment(text.slice(0, maxBytes))) {
    bytes += Buffer.byteLength(segment)
    if (bytes > room) break
    kept += segment
  }
  return kept.trimEnd() + ELLIPSIS
}

/** Cleans a text of a visitor or of another server, and cuts it. */
export const cleanAndCut = (text: string, maxBytes: number): string => cutText(cleanText(text), maxBytes)
