import { type HighlightRuns, type HighlightStyle, highlightStyles } from '#src/contract/paste.ts'

const HUES: Partial<Record<HighlightStyle, number>> = { title: 7, type: 6, name: 1, meta: 10 }

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\x7f': '␡' }

/** Escapes text for HTML. Replaces control characters with symbols (␀), because HTML cannot contain them. */
export const escapeText = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters on purpose
  text.replace(/[&<>"\x00-\x08\x0b-\x1f\x7f]/g, (character) => {
    return ENTITIES[character] ?? String.fromCharCode(0x2400 + character.charCodeAt(0))
  })

/** Renders code as HTML with the classes of `src/ui/highlights.css`. */
export function renderHighlights(text: string, highlights: HighlightRuns): string {
  let html = ''
  for (const [piece, style] of splitByStyle(text, highlights)) html += highlightText(piece, style)
  return html
}

/** Renders a text of one style as HTML. */
export function highlightText(text: string, style: HighlightStyle): string {
  const html = escapeText(text)
  if (style === 'plain' || html === '') return html
  const hue = HUES[style] === undefined ? '' : ` data-hue="${HUES[style]}"`
  return `<span class="hl-${style}"${hue}>${html}</span>`
}

/** Splits a text into parts of one style. */
export function* splitByStyle(
  text: string,
  highlights: HighlightRuns,
): Generator<[piece: string, mark: HighlightStyle]> {
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
