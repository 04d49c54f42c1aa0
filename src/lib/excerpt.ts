import { type Block, closeSpoiler, parseMarkup } from './markup.ts'

/** Replaces a spoiler in previews. Uses a word, because screen readers skip or spell out symbols such as █. */
export const HIDDEN_SPOILER = '[spoiler]'

/** For an excerpt, the database returns only this many characters of a text. */
export const excerptSource = 3000
/** Limits the work for long texts: an excerpt of `max` code points reads this many UTF-16 units. */
const unitsReadFor = (max: number) => 1000 + 8 * max

type ExcerptOptions = {
  /** omits post links and quoted lines, unless nothing else is left */
  skipQuotes?: boolean
}

/**
 * Returns a post as one line of plain text: hides spoilers, collapses white space, and ends with `…` if it was cut.
 * @param text the whole post, or its first `excerptSource` characters for an excerpt of at most 200 code points
 * @param max maximum length without the `…`, in code points; never splits a character made of several code points
 */
export function excerpt(text: string, max: number, { skipQuotes = false }: ExcerptOptions = {}): string {
  const isLong = text.length > unitsReadFor(max)
  const read = isLong ? closeSpoiler(text.slice(0, unitsReadFor(max)).toWellFormed()) : text
  const blocks = parseMarkup(read)
  const line = (skipQuotes && toLine(blocks.flatMap(withoutQuotes))) || toLine(blocks)
  const cut = codePointOffset(line, max)
  return isLong || cut < line.length ? `${line.slice(0, characterStart(line, cut)).trimEnd()}…` : line
}

const toLine = (blocks: Block[]) => blocks.map(plainText).join(' ').replace(/\s+/g, ' ').trim()

function withoutQuotes(block: Block): Block[] {
  if (block.kind === 'quote') return []
  if (block.kind === 'code') return [block]
  return [{ ...block, children: block.children.filter((node) => node.kind !== 'postLink') }]
}

function plainText(block: Block): string {
  if (block.kind === 'code') return block.text
  let text = ''
  for (const node of block.children) {
    if (node.kind === 'spoiler') text += node.continued ? '' : HIDDEN_SPOILER
    else if (node.kind === 'postLink') text += `>>${node.id}`
    else text += node.kind === 'break' ? ' ' : node.text
  }
  return text
}

/** Returns the offset in UTF-16 units after `count` code points. */
function codePointOffset(line: string, count: number): number {
  let offset = 0
  for (let seen = 0; seen < count && offset < line.length; seen++) {
    offset += (line.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1
  }
  return offset
}

/** Returns the start of the grapheme that `offset` would split, else `offset`. */
function characterStart(line: string, offset: number): number {
  const nearby = line.slice(0, offset + 2)
  return new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(nearby).containing(offset)?.index || offset
}
