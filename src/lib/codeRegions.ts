/** Code in a post, from `start` to `end` in the source. A `block` covers whole lines, without the last line break. */
export type CodeRegion = {
  start: number
  end: number
  role: 'inline' | 'block'
  language: string
  text: string
  /** the closing fence is missing */
  isOpen?: boolean
}

/** A line of three backticks. The name of a language may follow. */
const FENCE = /^```([^`\n]*)$/gm
const LANGUAGE = /^[\w+#.-]{0,24}$/
/**
 * Code on one line. A letter before the first backtick is an apostrophe (it`s), and a bracket after it is the mouth of a
 * Japanese face (´ω`). Imported texts have a word joiner (U+2060) after a backtick that is text.
 */
const INLINE = /(?<![a-zA-Z0-9`])`(?![\s)`\u2060])([^`\n]+)`(?!`)/g

/** Finds code in linear time, in order. A block without a closing fence ends with the text. */
export function findCode(source: string): CodeRegion[] {
  if (!source.includes('`')) return []
  const regions: CodeRegion[] = []
  let after = 0
  let opening: { start: number; textStart: number; language: string } | undefined
  for (const { 0: line, 1: info = '', index } of source.matchAll(FENCE)) {
    const language = info.trim()
    const end = index + line.length
    if (opening) {
      if (language !== '') continue
      const text = source.slice(opening.textStart, Math.max(opening.textStart, index - 1))
      regions.push({ start: opening.start, end, role: 'block', language: opening.language, text })
      after = end
      opening = undefined
    } else if (LANGUAGE.test(language)) {
      findInlineCode(source, after, index, regions)
      opening = { start: index, textStart: end + 1, language }
    }
  }
  if (opening) {
    const { start, textStart, language } = opening
    regions.push({ start, end: source.length, role: 'block', language, text: source.slice(textStart), isOpen: true })
  } else findInlineCode(source, after, source.length, regions)
  return regions
}

function findInlineCode(source: string, start: number, end: number, regions: CodeRegion[]): void {
  for (const { 0: whole, 1: text = '', index } of source.slice(start, end).matchAll(INLINE)) {
    const at = start + index
    regions.push({ start: at, end: at + whole.length, role: 'inline', language: '', text })
  }
}

/** A rendered block has four elements, and a button that the page adds. */
const BLOCK_NODES = 5
const CHARACTERS_PER_SPAN = 6
const MAX_SPANS = 1000
/** Coloured spans are rendered as one string, so they cost less than other elements. */
const SPANS_PER_NODE = 4
/** the element with its class and hue, and its run in the page's data */
const SPAN_BYTES = 55

/** Returns how many coloured spans a block may have. With more, it is shown without colours. */
export const maxCodeSpans = (text: string) => Math.min(MAX_SPANS, Math.ceil(text.length / CHARACTERS_PER_SPAN))

export const codeBlockNodes = (text: string) => BLOCK_NODES + Math.ceil(maxCodeSpans(text) / SPANS_PER_NODE)

/** Returns the most bytes that a page needs for the colours of a block, besides its text. */
export const codeBlockBytes = (text: string) => SPAN_BYTES * maxCodeSpans(text)
