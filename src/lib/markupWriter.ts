import { type CodeRegion, codeBlockNodes } from './codeRegions.ts'

export type Phrase =
  | { kind: 'text'; text: string }
  | { kind: 'break' }
  | { kind: 'postLink'; id: number }
  /** to a board, or to a post that was on it */
  | { kind: 'boardLink'; text: string; boardId: string; id: number | null }
  | { kind: 'link'; text: string; href: string }
  /** has line breaks only if it is a block inside a spoiler */
  | { kind: 'code'; text: string }

/** A spoiler across several blocks has a part in each block; all parts have the same `id`. */
export type Spoiler = { kind: 'spoiler'; id: number; continued: boolean; children: Phrase[] }
export type Inline = Phrase | Spoiler
export type TextBlock = { kind: 'paragraph' | 'quote'; children: Inline[] }
/** `language` is as the poster wrote it; may be empty. */
export type CodeBlock = { kind: 'code'; language: string; text: string }
export type Block = TextBlock | CodeBlock

/**
 * Limits the render cost of a post. Beyond the limit, links and line breaks stay text, and one spoiler hides everything
 * from the next opening tag to the last closing tag.
 */
const MAX_NODES = 1000

/** Builds the tree of a post. */
export class MarkupWriter {
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

  beginLine(kind: TextBlock['kind']) {
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
    const nodes = this.target()
    const last = nodes.at(-1)
    if (last?.kind === 'text') last.text += text
    else nodes.push({ kind: 'text', text })
  }

  push(node: Phrase) {
    this.target().push(node)
  }

  /** Spoilers contain phrases only, so a block in a spoiler becomes a phrase. */
  code({ role, language, text }: CodeRegion, source: string) {
    const isBlock = role === 'block' && !this.inSpoiler
    const hasRoom = this.spend(isBlock ? codeBlockNodes(text) : 1)
    if (isBlock && hasRoom) {
      this.blocks.push({ kind: 'code', language, text })
      this.paragraphEnds = true
      return
    }
    if (this.lineIsEmpty) this.beginLine('paragraph')
    if (hasRoom) this.push({ kind: 'code', text })
    else this.text(source)
  }

  private beginBlock(kind: TextBlock['kind']) {
    this.blocks.push({ kind, children: [] })
    this.piece = undefined
  }

  /** Starts a spoiler part only when its text begins, so that a line with only a tag does not add an empty line. */
  private target(): Inline[] {
    if (this.inSpoiler && !this.piece) {
      const piece: Spoiler = { kind: 'spoiler', id: this.spoilers, continued: this.pieces > 0, children: [] }
      this.siblings().push(piece)
      this.pieces++
      this.piece = piece
    }
    return this.siblings()
  }

  /** Returns the list that line breaks are appended to. */
  private siblings(): Inline[] {
    const block = this.blocks.at(-1)
    return this.piece?.children ?? (block && block.kind !== 'code' ? block.children : [])
  }
}
