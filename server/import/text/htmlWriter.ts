import { type HtmlTag, readHtml } from '#server/features/news/feed/content/readHtml.ts'
import type { HtmlBody } from '#server/import/types.ts'
import { MARK, withoutMarks, writeMarks } from './literalMarkup.ts'

const BLOCKS = new Set(
  'p div blockquote ul ol li dl dt dd table caption tr h1 h2 h3 h4 h5 h6 hr section article header footer'.split(' '),
)
const VOID = new Set(['br', 'wbr', 'img', 'hr'])

type Closing = { order: number; close: () => void }
type Kind = 'spoiler' | 'code' | 'block' | 'struck' | 'hidden'

/** Names of classes and elements in the HTML of 4chan, vichan and jschan. */
const KINDS = new Map<string, Kind>([
  ['script', 'hidden'],
  ['style', 'hidden'],
  ['template', 'hidden'],
  // settings of vichan
  ['tinyboard', 'hidden'],
  // The camera's data of a picture, which 4chan hides until a click, and notes of 4chan that say so.
  ['table.exif', 'hidden'],
  ['span.abbr', 'hidden'],
  ['code', 'code'],
  ['pre', 'block'],
  ['del', 'struck'],
  ['strike', 'struck'],
  ['s', 'struck'],
  ['span.spoiler', 'spoiler'],
  ['span.mono', 'code'],
  ['span.code', 'block'],
  ['span.strike', 'struck'],
])

/** Builds the text of a post from its HTML. */
class HtmlWriter {
  private out = ''
  /** callbacks of the open elements, by name: closing a tag takes constant time in deeply nested HTML */
  private readonly closings = new Map<string, Closing[]>()
  private opened = 0
  private hidden = 0
  private code: Kind | null = null
  private isInSpoiler = false
  private isInLink = false
  private isAtLineStart = true

  constructor(private readonly format: HtmlBody['format']) {}

  text(piece: string): void {
    if (this.hidden > 0) return
    // Pages of jschan show line breaks in the source.
    if (this.format === 'jschan' || this.code === 'block') this.write(piece)
    else {
      const line = joinLines(piece)
      this.write(this.isAtLineStart && line !== piece ? line.trimStart() : line)
    }
  }

  open({ name, attributes, source }: HtmlTag): void {
    if (name === 'br') this.breakLine()
    else if (BLOCKS.has(name)) {
      this.startLine()
      // 8chan writes each line as a paragraph.
      if (name === 'p' && classesOf(attributes).includes('empty')) this.breakLine()
    } else if ((name === 'td' || name === 'th') && !this.isAtLineStart) this.text('\t')
    else if (name === 'img') this.text(withoutMarks(attributes.get('alt') ?? ''))
    if (VOID.has(name) || source.endsWith('/>')) return
    const closings = this.closings.get(name) ?? []
    this.closings.set(name, closings)
    closings.push({ order: this.opened++, close: this.enter(name, attributes) })
  }

  close(name: string): void {
    this.closings.get(name)?.pop()?.close()
    if (BLOCKS.has(name)) this.startLine()
  }

  /** Keeps the indent of the first line: it may be a picture of characters. */
  finish(): string {
    const open = [...this.closings.values()].flat().sort((a, b) => b.order - a.order)
    for (const { close } of open) close()
    const lines = writeMarks(this.out)
      .split('\n')
      .map((line) => line.trimEnd())
    const isWritten = (line: string) => line !== ''
    return lines.slice(Math.max(0, lines.findIndex(isWritten)), lines.findLastIndex(isWritten) + 1).join('\n')
  }

  /** @returns the callback of the closing tag */
  private enter(name: string, attributes: HtmlTag['attributes']): () => void {
    const kind = name === 's' && this.format === '4chan' ? 'spoiler' : findKind(name, attributes)
    // jschan writes `(OP)` behind each link to an opening post.
    if (kind === 'hidden' || (name === 'small' && this.format === 'jschan')) {
      this.hidden++
      return () => this.hidden--
    }
    const href = name === 'a' ? attributes.get('href') : undefined
    // `<pre><code>` is one block.
    if (this.hidden > 0 || (this.code !== null && href === undefined)) return () => {}
    if (href !== undefined) return this.link(href)
    if (kind === 'struck') return this.struck()
    if (kind === 'spoiler') return this.spoiler()
    return kind ? this.startCode(kind) : () => {}
  }

  private write(piece: string): void {
    if (piece === '') return
    this.out += piece
    this.isAtLineStart = piece.endsWith('\n')
  }

  private startCode(kind: 'code' | 'block'): () => void {
    if (kind === 'block') this.startLine()
    this.out += MARK[kind]
    this.code = kind
    return () => {
      this.code = null
      this.out += MARK[`${kind}End`]
      if (kind === 'block') this.write('\n')
    }
  }

  private spoiler(): () => void {
    if (this.isInSpoiler) return () => {}
    this.isInSpoiler = true
    this.out += MARK.spoiler
    return () => {
      this.isInSpoiler = false
      this.out += MARK.spoilerEnd
    }
  }

  /** Struck text would mean the opposite without a sign of it. */
  private struck(): () => void {
    this.write('~~')
    return () => this.write('~~')
  }

  private link(href: string): () => void {
    if (this.isInLink) return () => {}
    this.isInLink = true
    const start = this.out.length
    return () => {
      this.isInLink = false
      if (this.code === null) this.out = this.out.slice(0, start) + toLinkText(this.out.slice(start), href)
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

const findKind = (name: string, attributes: HtmlTag['attributes']): Kind | undefined =>
  KINDS.get(name) ?? classesOf(attributes).flatMap((one) => KINDS.get(`${name}.${one}`) ?? [])[0]

const classesOf = (attributes: HtmlTag['attributes']) => attributes.get('class')?.split(/\s+/) ?? []

const POST_LINK = /^>>(?:>\/[^\s/>]{1,64}\/)?\d+$/

/** Returns the text of a link, with the URL unless the text is the URL or links to a post. @param written with marks */
function toLinkText(written: string, href: string): string {
  const text = withoutMarks(written).trim()
  if (POST_LINK.test(text)) return text.replaceAll('>', MARK.link)
  // Old boards send readers through other sites, such as `https://anon.to/?https://example.org`.
  if (!/^https?:\/\//i.test(href) || isSameUrl(text, href) || (isUrl(text) && href.endsWith(text))) return written
  return text === '' || isShortened(text, href) ? href : `${written} ${href}`
}

/** Text without the scheme counts as shortened too. */
const isShortened = (text: string, href: string) =>
  (/(?:…|\.\.\.)$/.test(text) && href.startsWith(text.replace(/(?:…|\.\.\.)$/, ''))) ||
  href.replace(/^https?:\/\//i, '').replace(/\/$/, '') === text.replace(/\/$/, '')

const isUrl = (text: string) => /^https?:\/\//i.test(text)

const isSameUrl = (text: string, href: string) => normalizeUrl(text) === normalizeUrl(href)

/** jschan writes parentheses as `%28` in a URL, but not in its text. */
const normalizeUrl = (text: string): string =>
  URL.canParse(text) ? new URL(text).href.replace(/%2[789a]/gi, decodeURIComponent) : text

/** Longer HTML is cut, in UTF-16 units. It limits the time for a hostile post. */
export const MAX_HTML = 1_000_000

export function htmlToPlainText({ html, format }: HtmlBody): string {
  const writer = new HtmlWriter(format)
  readHtml(cutHtml(html), {
    text: (piece) => writer.text(withoutMarks(piece)),
    tag: (tag) => {
      if (tag.closing) writer.close(tag.name)
      else writer.open(tag)
      return true
    },
  })
  return writer.finish()
}

/** Cuts long HTML before a tag that it would break. */
function cutHtml(html: string): string {
  if (html.length <= MAX_HTML) return html
  const kept = html.slice(0, MAX_HTML)
  const tag = kept.lastIndexOf('<')
  return tag > kept.lastIndexOf('>') ? kept.slice(0, tag) : kept
}
