import { Parser } from 'htmlparser2'

const INLINE = new Set([
  'a',
  'abbr',
  'b',
  'bdi',
  'button',
  'code',
  'em',
  'kbd',
  'label',
  'small',
  'span',
  'strong',
  'time',
])
const HIDDEN = new Set(['head', 'option', 'pre', 'script', 'select', 'style', 'svg', 'textarea'])

/** Lists where a browser without style sheets would join the texts of two inline elements to one word. */
export function findJoinedWords(html: string): string[] {
  const joined: string[] = []
  let before = ''
  let isBoundary = false
  let hiddenDepth = 0
  const cross = (name: string) => {
    if (hiddenDepth > 0) return
    if (INLINE.has(name)) isBoundary = true
    else before = ''
  }
  const parser = new Parser({
    onopentag(name) {
      if (HIDDEN.has(name)) hiddenDepth++
      else cross(name)
    },
    onclosetag(name) {
      if (HIDDEN.has(name)) hiddenDepth--
      else cross(name)
    },
    ontext(text) {
      if (hiddenDepth > 0) return
      if (isBoundary && /[\p{L}\p{N})]$/u.test(before) && /^[\p{L}\p{N}(>/#]/u.test(text))
        joined.push(`${before}|${text}`)
      before = text
      isBoundary = false
    },
  })
  parser.end(html)
  return joined
}
