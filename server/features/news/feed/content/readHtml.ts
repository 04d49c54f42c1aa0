import { Tokenizer } from 'htmlparser2'

export type HtmlTag = {
  name: string
  /** lower-case names, decoded values */
  attributes: ReadonlyMap<string, string>
  closing: boolean
  /** the tag as written, from `<` to `>` */
  source: string
}

export type HtmlHandler = {
  /** returns false to stop reading */
  tag: (tag: HtmlTag) => boolean
  text?: (text: string) => void
  /** receives the last tag if the document ends inside it */
  cutOff?: (source: string) => void
}

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map()

/**
 * Passes HTML to a handler, one tag or text at a time. Builds no tree, so deep nesting costs nothing extra.
 * @param scripts `raw`: the contents of `script`, `title` and similar tags are text, as in a page; `markup`: they are
 * parsed as HTML, for plain text such as "use <title>"
 */
export function readHtml(html: string, reader: HtmlHandler, scripts: 'raw' | 'markup' = 'raw'): void {
  let read = 0
  let start = 0
  let name = ''
  let attributes: Map<string, string> | undefined
  let attributeName = ''
  let value = ''
  const text = (end: number, piece: string) => {
    read = end
    reader.text?.(piece)
  }
  const tag = (end: number, closing: boolean) => {
    read = end + 1
    const source = html.slice(start, end + 1)
    if (!reader.tag({ name, attributes: attributes ?? NO_ATTRIBUTES, closing, source })) tokenizer.pause()
  }
  const ignored = (_start: number, end: number) => {
    read = end + 1
  }
  const tokenizer = new Tokenizer(
    {},
    {
      ontext: (from, end) => text(end, html.slice(from, end)),
      ontextentity: (code, end) => text(end, String.fromCodePoint(code)),
      onopentagname: (from, end) => {
        start = from - 1
        name = html.slice(from, end).toLowerCase()
        attributes = undefined
      },
      onattribname: (from, end) => {
        attributeName = html.slice(from, end).toLowerCase()
        value = ''
      },
      onattribdata: (from, end) => {
        value += html.slice(from, end)
      },
      onattribentity: (code) => {
        value += String.fromCodePoint(code)
      },
      onattribend: () => {
        attributes ??= new Map()
        if (!attributes.has(attributeName)) attributes.set(attributeName, value)
      },
      onopentagend: (end) => tag(end, false),
      onselfclosingtag: (end) => tag(end, false),
      onclosetag: (from, end) => {
        start = from - 2
        name = html.slice(from, end).toLowerCase()
        attributes = undefined
        tag(end, true)
      },
      oncomment: ignored,
      oncdata: ignored,
      ondeclaration: ignored,
      onprocessinginstruction: ignored,
      onend: () => {},
      isInForeignContext: () => scripts === 'markup',
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  if (tokenizer.running && read < html.length) reader.cutOff?.(html.slice(read))
}
