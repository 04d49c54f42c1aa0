import { type Block, parseMarkup } from './markup.ts'

/** What a preview shows in place of a spoiler; words, because screen readers skip or spell out block characters. */
export const HIDDEN_SPOILER = '[spoiler]'

/**
 * One line of plain text out of a post: spoilers hidden, white space collapsed, `…` at the end if anything was cut.
 * @param max longest result without the `…`, in code points; a character made of several is kept whole or left out
 */
export function excerpt(text: string, max: number): string {
  const line = parseMarkup(text).map(plainText).join(' ').replace(/\s+/g, ' ').trim()
  const cut = codePointOffset(line, max)
  return cut < line.length ? `${line.slice(0, characterStart(line, cut)).trimEnd()}…` : line
}

function plainText(block: Block): string {
  let text = ''
  for (const node of block.children) {
    if (node.kind === 'spoiler') text += node.continued ? '' : HIDDEN_SPOILER
    else if (node.kind === 'postLink') text += `>>${node.id}`
    else text += node.kind === 'break' ? ' ' : node.text
  }
  return text
}

/** Offset in UTF-16 code units behind the first `count` code points. */
function codePointOffset(line: string, count: number): number {
  let offset = 0
  for (let seen = 0; seen < count && offset < line.length; seen++) {
    offset += (line.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1
  }
  return offset
}

/** Start of the character that `offset` would cut in two, else `offset`; a single endless character is cut. */
function characterStart(line: string, offset: number): number {
  if (typeof Intl.Segmenter !== 'function') return offset
  const nearby = line.slice(0, offset + 2)
  return new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(nearby).containing(offset)?.index || offset
}
