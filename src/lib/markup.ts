import { type CodeRegion, codeBlockBytes, codeBlockNodes, findCode } from './codeRegions.ts'
import { type Block, MarkupWriter, type Phrase } from './markupWriter.ts'
import { normalizeLineBreaks, scan } from './textMarkup.ts'

export { maxCodeSpans } from './codeRegions.ts'
export type { Block, CodeBlock, Inline, Phrase, Spoiler } from './markupWriter.ts'
export { POST_LINKS, withoutPostLinks } from './textMarkup.ts'

/** A rendered spoiler consists of three elements. */
const SPOILER_NODES = 3

/**
 * Parses a post in linear time: code (`` `a` ``, or lines between ```` ``` ````), quote lines (`>`), links to
 * posts (`>>123`) and boards (`>>>/tech/`), spoilers and URLs. Nothing is parsed inside code.
 */
export function parseMarkup(text: string): Block[] {
  const source = normalizeLineBreaks(text)
  const writer = new MarkupWriter()
  const code = findCode(source)
  const tags = findTags(source, code)
  const last = tags.findLast(({ role }) => role === 'close')
  let at = 0
  let reachesLast = false
  for (const mark of [...code, ...tags].sort((a, b) => a.start - b.start)) {
    scan(source, at, mark.start, writer)
    const { start, end, role } = mark
    if (role === 'inline' || role === 'block') writer.code(mark, source.slice(start, end))
    else if (role === 'literal' || (reachesLast && mark !== last)) scan(source, start, end, writer)
    else if (role === 'close') writer.closeSpoiler()
    else {
      reachesLast = !writer.spend(SPOILER_NODES)
      writer.openSpoiler()
    }
    at = end
  }
  scan(source, at, source.length, writer)
  return writer.blocks
}

/** Returns the approximate number of elements in a rendered text, and the most bytes that colours of code add to it. */
export function measureMarkup(text: string): { nodes: number; codeBytes: number } {
  let nodes = 0
  let codeBytes = 0
  for (const block of parseMarkup(text)) {
    if (block.kind === 'code') {
      nodes += codeBlockNodes(block.text)
      codeBytes += codeBlockBytes(block.text)
      continue
    }
    nodes += 1
    for (const node of block.children) {
      if (node.kind === 'spoiler') nodes += SPOILER_NODES + node.children.length
      else if (node.kind !== 'text') nodes += 1
    }
  }
  return { nodes, codeBytes }
}

/** Lists the phrases of a text outside code blocks, also those in spoilers. */
const phrasesOf = (text: string): Phrase[] =>
  parseMarkup(text).flatMap((block) =>
    block.kind === 'code' ? [] : block.children.flatMap((node) => (node.kind === 'spoiler' ? node.children : [node])),
  )

/** Returns the links to boards and their posts in a text, without duplicates. */
export const listBoardLinks = (text: string): (Phrase & { kind: 'boardLink' })[] => {
  const links = phrasesOf(text).filter((node) => node.kind === 'boardLink')
  return [...new Map(links.map((link) => [link.text, link])).values()]
}

/** Returns the ids of the posts that a text links to, without duplicates, at most `limit`. */
export const quotedPosts = (text: string, limit: number): number[] => {
  const ids = phrasesOf(text).flatMap((node) => (node.kind === 'postLink' ? node.id : []))
  return [...new Set(ids)].slice(0, limit)
}

/** Closes a spoiler that a cut-off text leaves open, so that the text hides what the whole text hides. */
export function closeSpoiler(text: string): string {
  const source = normalizeLineBreaks(text)
  const code = findCode(source)
  const last = findTags(source, code).at(-1)
  if (!last || source.charAt(last.start + 1) === '/') return text
  return `${text}${code.at(-1)?.isOpen ? '\n```\n' : ''}…[/spoiler]`
}

type Tag = { start: number; end: number; role: 'open' | 'close' | 'literal' }

/**
 * Finds all spoiler tags outside code. Pairs an opening tag with the next closing tag, unless only white space is
 * between them.
 */
function findTags(source: string, code: CodeRegion[]): Tag[] {
  const tags: Tag[] = []
  let open: Tag | undefined
  let region = 0
  for (const match of source.matchAll(/\[(\/?)spoiler\]/gi)) {
    while ((code[region]?.end ?? Infinity) <= match.index) region++
    if ((code[region]?.start ?? Infinity) < match.index) continue
    const tag: Tag = { start: match.index, end: match.index + match[0].length, role: 'literal' }
    tags.push(tag)
    if (match[1] === '') open ??= tag
    else if (open) {
      if (source.slice(open.end, tag.start).trim() !== '') {
        open.role = 'open'
        tag.role = 'close'
      }
      open = undefined
    }
  }
  return tags
}
