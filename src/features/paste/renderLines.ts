import type { HighlightRuns, HighlightStyle } from '#src/contract/paste.ts'
import { t } from '#src/i18n/t.ts'
import { escapeText, highlightText, splitByStyle } from '#src/lib/highlightRuns.ts'

/** Longer texts get no line numbers, because these would make the browser slow. */
const MAX_NUMBERED_LINES = 20_000

const LINE_NUMBER = '#'

export type LineClasses = Record<'line' | 'lineNumber', string | undefined>

/** Counts lines. A line break at the end does not start another line. */
export function countLines(text: string): number {
  let lines = text === '' || text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++
  return lines
}

/** Renders lines as HTML. CSS draws the numbers, so that visitors do not copy them with the text. */
export function renderLines(text: string, highlights: HighlightRuns, classes: LineClasses): string {
  const hasLineNumbers = countLines(text) <= MAX_NUMBERED_LINES
  // Replaces CRLF, because escapeText would show each CR as a symbol. The copy button keeps CRLF.
  if (!hasLineNumbers) return escapeText(text.replaceAll('\r\n', '\n'))
  // Reads the text once, because a paste can have thousands of lines.
  const [labelStart, labelEnd] = t('paste.line', { number: LINE_NUMBER }).split(LINE_NUMBER)
  let html = ''
  let line = 0
  let open = false
  const write = (piece: string, mark: HighlightStyle) => {
    if (!open) {
      line++
      html += `<span class="${classes.line}" id="L${line}"><a class="${classes.lineNumber}" href="#L${line}" data-line="${line}" tabindex="-1" aria-label="${labelStart}${line}${labelEnd}"></a>`
      open = true
    }
    const ends = piece.endsWith('\n')
    const shown = ends ? piece.replace(/\r?\n$/, '') : piece
    html += highlightText(shown, mark)
    if (!ends) return
    html += '\n</span>'
    open = false
  }
  for (const [piece, mark] of splitByStyle(text, highlights)) {
    for (const part of piece.match(/[^\n]*\n|[^\n]+$/g) ?? []) write(part, mark)
  }
  return open ? `${html}</span>` : html
}
