import { findUrlEnd, isUrlStart, parseWebUrl } from './autolinks.ts'

export type Phrase =
  | { kind: 'text'; text: string }
  | { kind: 'break' }
  | { kind: 'postLink'; id: number }
  | { kind: 'link'; text: string; href: string }

/** A spoiler across several blocks has a part in each block; all parts have the same `id`. */
export type Spoiler = { kind: 'spoiler'; id: number; continued: boolean; children: Phrase[] }
export type Inline = Phrase | Spoiler
export type Block = { kind: 'paragraph' | 'quote'; children: Inline[] }

/**
 * Limits the render cost of a post. Beyond the limit, links and line breaks stay text, and one spoiler hides everything
 * from the next opening tag to the last closing tag.
 */
const MAX_NODES = 1000
/** A rendered spoiler consists of three elements. */
const SPOILER_NODES = 3
const MAX_POST_DIGITS = 15

const NEWLINE = 0x0a
const GREATER = 0x3e

/** Parses a post in linear time: quote lines (`>`), post links (`>>123`), spoilers and URLs. */
export function parseMarkup(text: string): Block[] {
  const source = text.replace(/\r\n?/g, '\n')
  const writer = new Writer()
  const tags = findTags(source)
  const last = tags.findLast(({ role }) => role === 'close')
  let at = 0
  let reachesLast = false
  for (const tag of tags) {
    scan(source, at, tag.start, writer)
    if (tag.role === 'literal' || (reachesLast && tag !== last)) scan(source, tag.start, tag.end, writer)
    else if (tag.role === 'close') writer.closeSpoiler()
    else {
      reachesLast = !writer.spend(SPOILER_NODES)
      writer.openSpoiler()
    }
    at = tag.end
  }
  scan(source, at, source.length, writer)
  return writer.blocks
}

/** Returns the approximate number of elements in a rendered text. */
export function countNodes(text: string): number {
  let nodes = 0
  for (const { children } of parseMarkup(text)) {
    nodes += 1
    for (const node of children) {
      if (node.kind === 'spoiler') nodes += SPOILER_NODES + node.children.length
      else if (node.kind !== 'text') nodes += 1
    }
  }
  return nodes
}

/** Returns the ids of the posts that a text links to, without duplicates, at most `limit`. */
export function quotedPosts(text: string, limit: number): number[] {
  const found = new Set<number>()
  for (const block of parseMarkup(text)) {
    for (const inline of block.children) {
      for (const node of inline.kind === 'spoiler' ? inline.children : [inline]) {
        if (found.size >= limit) return [...found]
        if (node.kind === 'postLink') found.add(node.id)
      }
    }
  }
  return [...found]
}

type Tag = { start: number; end: number; role: 'open' | 'close' | 'literal' }

/** Finds all spoiler tags. Pairs an opening tag with the next closing tag, unless only white space is between them. */
function findTags(source: string): Tag[] {
  const tags: Tag[] = []
  let open: Tag | undefined
  for (const match of source.matchAll(/\[(\/?)spoiler\]/gi)) {
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

function scan(source: string, start: number, end: number, writer: Writer) {
  let at = start
  let run = start
  const flush = () => writer.text(source.slice(run, at))
  while (at < end) {
    if (writer.lineIsEmpty) {
      while (at < end && isBlank(source.charCodeAt(at))) at++
      writer.indent += source.slice(run, at)
      run = at
      if (at === end) break
      if (source.charCodeAt(at) !== NEWLINE) {
        const quotes = writer.indent === '' && source.charCodeAt(at) === GREATER
        writer.beginLine(quotes && postLinkEnd(source, at, end) === undefined ? 'quote' : 'paragraph')
      }
    }
    const code = source.charCodeAt(at)
    if (code === NEWLINE) {
      flush()
      writer.endLine()
      run = ++at
    } else if (code === GREATER) {
      const stop = postLinkEnd(source, at, end)
      if (stop !== undefined && writer.spend()) {
        flush()
        writer.push({ kind: 'postLink', id: Number(source.slice(at + 2, stop)) })
        run = at = stop
      } else at = runEnd(source, at, end)
    } else if (isUrlStart(source, at, start)) {
      const stop = findUrlEnd(source, at, end)
      const href = writer.spend() ? parseWebUrl(source.slice(at, stop)) : undefined
      if (href) {
        flush()
        writer.push({ kind: 'link', text: source.slice(at, stop), href })
        run = stop
      }
      at = stop
    } else at++
  }
  flush()
}

/** Only spaces and tabs count as blank. Other white space is part of the text. */
const isBlank = (code: number) => code === 0x20 || code === 0x09

function runEnd(source: string, at: number, end: number): number {
  let stop = at
  while (stop < end && source.charCodeAt(stop) === GREATER) stop++
  return stop
}

/** A post link is exactly two `>` and a number without leading zeros. */
function postLinkEnd(source: string, at: number, end: number): number | undefined {
  const digits = runEnd(source, at, end)
  if (digits - at !== 2) return undefined
  let stop = digits
  while (stop < end && stop - digits <= MAX_POST_DIGITS && isDigit(source.charCodeAt(stop))) stop++
  const length = stop - digits
  return length > 0 && length <= MAX_POST_DIGITS && source[digits] !== '0' ? stop : undefined
}

const isDigit = (code: number) => code >= 0x30 && code <= 0x39

class Writer {
  readonly blocks: Block[] = []
  lineIsEmpty = true
  indent = ''
  /** Keeps a line that contains only spoiler tags from counting as empty, because an empty line ends a paragraph. */
  private lineHasTag = false
  private paragraphEnds = true
  private nodesLeft = MAX_NODES
  private inSpoiler = false
  private spoilers = 0
  private pieces = 0
  private piece: Spoiler | undefined

  /** @returns false if the post has reached MAX_NODES */
  spend(nodes = 1): boolean {
    if (this.nodesLeft <= 0) return false
    this.nodesLeft -= nodes
    return true
  }

  beginLine(kind: Block['kind']) {
    const block = this.blocks.at(-1)
    if (!this.spend()) {
      if (block?.kind === 'paragraph') this.text(this.paragraphEnds ? '\n\n' : '\n')
      else this.beginBlock('paragraph')
    } else if (block?.kind === kind && !this.paragraphEnds) {
      this.siblings().push({ kind: 'break' })
    } else this.beginBlock(kind)
    this.lineIsEmpty = false
    this.paragraphEnds = false
    this.text(this.indent)
    this.indent = ''
  }

  endLine() {
    if (this.lineIsEmpty && !this.lineHasTag) this.paragraphEnds = true
    this.lineIsEmpty = true
    this.lineHasTag = false
    this.indent = ''
  }

  openSpoiler() {
    this.inSpoiler = true
    this.lineHasTag = true
    this.spoilers++
    this.pieces = 0
  }

  closeSpoiler() {
    this.inSpoiler = false
    this.lineHasTag = true
    this.piece = undefined
  }

  text(text: string) {
    if (text === '') return
    this.ensurePiece()
    const last = this.siblings().at(-1)
    if (last?.kind === 'text') last.text += text
    else this.siblings().push({ kind: 'text', text })
  }

  push(node: Phrase) {
    this.ensurePiece()
    this.siblings().push(node)
  }

  private beginBlock(kind: Block['kind']) {
    this.blocks.push({ kind, children: [] })
    this.piece = undefined
  }

  /** Starts a spoiler part only when its text begins, so that a line with only a tag does not add an empty line. */
  private ensurePiece() {
    if (!this.inSpoiler || this.piece) return
    const piece: Spoiler = { kind: 'spoiler', id: this.spoilers, continued: this.pieces > 0, children: [] }
    this.siblings().push(piece)
    this.pieces++
    this.piece = piece
  }

  private siblings(): Inline[] {
    return this.piece?.children ?? this.blocks.at(-1)?.children ?? []
  }
}
