import { type HighlightRuns, type HighlightStyle, highlightStyles } from '#src/contract/paste.ts'

/** Longer texts get no line numbers, because these would make the browser slow. */
const MAX_NUMBERED_LINES = 20_000

const HUES: Partial<Record<HighlightStyle, number>> = { title: 7, type: 6, name: 1, meta: 10 }

export type LineClasses = Record<HighlightStyle | 'line' | 'lineNumber', string | undefined>

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\x7f': '␡' }

/** Escapes text for HTML. Replaces control characters with symbols (␀), because HTML cannot contain them. */
const escapeText = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters on purpose
  text.replace(/[&<>"\x00-\x08\x0b-\x1f\x7f]/g, (character) => {
    return ENTITIES[character] ?? String.fromCharCode(0x2400 + character.charCodeAt(0))
  })

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
  let html = ''
  let line = 0
  let open = false
  const write = (piece: string, mark: HighlightStyle) => {
    if (!open) {
      line++
      html += `<span class="${classes.line}" id="L${line}"><a class="${classes.lineNumber}" href="#L${line}" data-line="${line}" tabindex="-1" aria-label="Line ${line}"></a>`
      open = true
    }
    const ends = piece.endsWith('\n')
    const shown = escapeText(ends ? piece.replace(/\r?\n$/, '') : piece)
    if (shown !== '') html += mark === 'plain' ? shown : highlight(shown, mark, classes)
    if (!ends) return
    html += '\n</span>'
    open = false
  }
  for (const [piece, mark] of splitByStyle(text, highlights)) {
    for (const part of piece.match(/[^\n]*\n|[^\n]+$/g) ?? []) write(part, mark)
  }
  return open ? `${html}</span>` : html
}

function highlight(html: string, mark: HighlightStyle, classes: LineClasses): string {
  const hue = HUES[mark] === undefined ? '' : ` data-hue="${HUES[mark]}"`
  return `<span class="${classes[mark]}"${hue}>${html}</span>`
}

function* splitByStyle(text: string, highlights: HighlightRuns): Generator<[piece: string, mark: HighlightStyle]> {
  let at = 0
  let marked = 0
  for (let index = 0; index < highlights.length; index += 2) {
    marked += highlights[index] ?? 0
    // A highlighted run must not split CRLF.
    const end = text[marked - 1] === '\r' && text[marked] === '\n' ? marked - 1 : marked
    yield [text.slice(at, end), highlightStyles[highlights[index + 1] ?? 0] ?? 'plain']
    at = end
  }
  if (at < text.length) yield [text.slice(at), 'plain']
}
