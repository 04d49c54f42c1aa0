import { type HtmlTag, readHtml } from '#server/features/news/feed/content/readHtml.ts'

/** Longer HTML is cut, in UTF-16 units. */
const MAX_HTML = 100_000
/** Elements whose text is not shown. `tinyboard` contains settings of vichan. */
const HIDDEN = new Set(['script', 'style', 'template', 'tinyboard'])
const BLOCKS = new Set(['p', 'div', 'blockquote', 'li', 'tr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'])

type Closing = { order: number; close: () => void }
type Mark = { open: string; close: string; isBlock?: boolean }
const SPOILER: Mark = { open: '[spoiler]', close: '[/spoiler]' }
const INLINE_CODE: Mark = { open: '`', close: '`' }
const CODE: Mark = { open: '```\n', close: '\n```', isBlock: true }

/** Names of classes and elements in the HTML of 4chan, vichan and jschan. */
const MARKS: Record<string, Mark> = {
  s: SPOILER,
  code: INLINE_CODE,
  pre: CODE,
  'span.spoiler': SPOILER,
  'span.mono': INLINE_CODE,
  'span.code': CODE,
}

/** @param keepsLineBreaks whether line breaks in the source are shown, as in jschan's posts */
export function htmlToPlainText(html: string, keepsLineBreaks = false): string {
  const source = html.slice(0, MAX_HTML)
  const writer = new Writer(keepsLineBreaks)
  readHtml(source, {
    text: (piece) => writer.text(piece),
    tag: (tag) => {
      if (tag.closing) writer.close(tag.name)
      else writer.open(tag)
      return true
    },
  })
  return writer.finish()
}

class Writer {
  private out = ''
  /** callbacks of the open elements, by name: closing a tag takes constant time in deeply nested HTML */
  private readonly closings = new Map<string, Closing[]>()
  private opened = 0
  private hidden = 0
  private blocksOfCode = 0
  private isInLink = false
  private isAtLineStart = true

  constructor(private readonly keepsLineBreaks: boolean) {}

  text(piece: string): void {
    if (this.hidden > 0) return
    if (this.keepsLineBreaks || this.blocksOfCode > 0) this.write(piece)
    else {
      const line = joinLines(piece)
      this.write(this.isAtLineStart && line !== piece ? line.trimStart() : line)
    }
  }

  open({ name, attributes, source }: HtmlTag): void {
    if (name === 'br') this.breakLine()
    else if (BLOCKS.has(name)) this.startLine()
    if (name === 'br' || name === 'wbr' || name === 'img' || name === 'hr' || source.endsWith('/>')) return
    const closings = this.closings.get(name) ?? []
    this.closings.set(name, closings)
    closings.push({ order: this.opened++, close: this.enter(name, attributes) })
  }

  close(name: string): void {
    this.closings.get(name)?.pop()?.close()
    if (BLOCKS.has(name)) this.startLine()
  }

  finish(): string {
    const open = [...this.closings.values()].flat().sort((a, b) => b.order - a.order)
    for (const { close } of open) close()
    const lines = this.out.split('\n').map((line) => line.trimEnd())
    return lines
      .join('\n')
      .replace(/\n{4,}/g, '\n\n\n')
      .trim()
  }

  /** @returns the callback of the closing tag */
  private enter(name: string, attributes: HtmlTag['attributes']): () => void {
    if (HIDDEN.has(name)) {
      this.hidden++
      return () => this.hidden--
    }
    if (this.hidden > 0) return () => {}
    const href = name === 'a' ? attributes.get('href') : undefined
    if (href !== undefined && /^https?:\/\//i.test(href)) return this.link(href)
    const mark = findMark(name, attributes.get('class'))
    // `<pre><code>` is one block.
    if (!mark || this.blocksOfCode > 0) return () => {}
    return mark.isBlock ? this.blockOfCode(mark) : this.mark(mark)
  }

  private write(piece: string): void {
    if (piece === '') return
    this.out += piece
    this.isAtLineStart = piece.endsWith('\n')
  }

  private mark({ open, close }: Mark): () => void {
    this.write(open)
    return () => this.write(close)
  }

  private blockOfCode({ open, close }: Mark): () => void {
    this.startLine()
    this.write(open)
    this.blocksOfCode++
    return () => {
      this.blocksOfCode--
      this.write(this.isAtLineStart ? close.trimStart() : close)
      this.breakLine()
    }
  }

  /** Adds the URL to a link's text, unless the text is the URL. */
  private link(href: string): () => void {
    if (this.isInLink) return () => {}
    this.isInLink = true
    const start = this.out.length
    return () => {
      this.isInLink = false
      const text = this.out.slice(start).trim()
      if (text === '' || isShortened(text, href)) this.out = this.out.slice(0, start) + href
      else if (!isSameUrl(text, href)) this.write(` ${href}`)
    }
  }

  private breakLine(): void {
    if (this.hidden === 0) this.write('\n')
  }

  private startLine(): void {
    if (!this.isAtLineStart) this.breakLine()
  }
}

/** Browsers show a line break in HTML as a space. */
function joinLines(text: string): string {
  if (!text.includes('\n')) return text
  const lines = text.split('\n')
  const last = lines.length - 1
  return lines.map((line, at) => (at === 0 ? line.trimEnd() : at === last ? line.trimStart() : line.trim())).join(' ')
}

function findMark(name: string, classes = ''): Mark | undefined {
  if (name !== 'span') return MARKS[name]
  const [found] = classes.split(/\s+/).flatMap((one) => MARKS[`span.${one}`] ?? [])
  return found
}

const isShortened = (text: string, href: string) =>
  /(?:…|\.\.\.)$/.test(text) && href.startsWith(text.replace(/(?:…|\.\.\.)$/, ''))

const isSameUrl = (text: string, href: string) =>
  text === href || (URL.canParse(text) && URL.canParse(href) && new URL(text).href === new URL(href).href)
