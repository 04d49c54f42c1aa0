import { findWords, type Term } from '#src/contract/searchQuery.ts'

type Segment = { text: string; isMatch: boolean }
type Range = { start: number; end: number }

/** Characters of an excerpt before its first match. */
const CONTEXT = 60
/** The most characters that are cut off to end with a whole word. */
const MAX_CUT = 30

/** Finds the words and phrases of a search in a text, in order and without overlaps. */
function findMatches(text: string, terms: Term[]): Range[] {
  const words = findWords(text)
  const matches: Range[] = []
  let next = 0
  for (const [index, { start }] of words.entries()) {
    if (index < next) continue
    const lengths = terms.flatMap((term) =>
      term.every((word, at) => words[index + at]?.word === word) ? term.length : [],
    )
    const length = Math.max(0, ...lengths)
    if (length === 0) continue
    next = index + length
    matches.push({ start, end: words[next - 1]?.end ?? start })
  }
  return matches
}

/** Splits a text into parts that match a search and parts that do not. */
export function splitMatches(text: string, terms: Term[]): Segment[] {
  const segments: Segment[] = []
  let at = 0
  for (const { start, end } of findMatches(text, terms)) {
    if (start > at) segments.push({ text: text.slice(at, start), isMatch: false })
    segments.push({ text: text.slice(start, end), isMatch: true })
    at = end
  }
  if (at < text.length) segments.push({ text: text.slice(at), isMatch: false })
  return segments
}

/** Returns a part of one line of text, at most about `max` characters, around the first match of a search. */
export function excerptAround(line: string, terms: Term[], max: number): string {
  const [first] = findMatches(line, terms)
  const start = first && first.end > max ? startOfWord(line, first.start - CONTEXT, first.start) : 0
  const end = start + max < line.length ? endOfWord(line, start + max) : line.length
  return `${start > 0 ? '…' : ''}${line.slice(start, end).trim()}${end < line.length ? '…' : ''}`
}

/** Returns the start of the first word after `from`, at most `limit`. */
function startOfWord(line: string, from: number, limit: number): number {
  const space = line.indexOf(' ', from)
  return space >= 0 && space < limit ? space + 1 : wholeCharacter(line, from)
}

/** Returns the end of the last word before `to`. Text without spaces is cut between characters. */
function endOfWord(line: string, to: number): number {
  const space = line.lastIndexOf(' ', to)
  return space > to - MAX_CUT ? space : wholeCharacter(line, to)
}

/** Returns the offset, or the one before it if the offset would split a surrogate pair. */
const wholeCharacter = (line: string, offset: number) =>
  /[\udc00-\udfff]/.test(line[offset] ?? '') && /[\ud800-\udbff]/.test(line[offset - 1] ?? '') ? offset - 1 : offset
