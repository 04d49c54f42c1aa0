import { Parser } from 'htmlparser2'

/** code is not a text */
const HIDDEN = new Set(['code', 'kbd', 'pre', 'script', 'style', 'template'])
const TEXT_ATTRIBUTES = ['alt', 'aria-label', 'aria-description', 'label', 'placeholder', 'title']
const TEXT_METAS = /description|title|alt$/

/** Returns the texts of a page that a person reads or hears: text nodes, names of elements, and descriptions. */
export function visibleTexts(html: string): string[] {
  const texts: string[] = []
  const open: string[] = []
  const parser = new Parser({
    onopentag(name, attributes) {
      open.push(name)
      if (!HIDDEN.has(name)) texts.push(...TEXT_ATTRIBUTES.flatMap((attribute) => attributes[attribute] ?? []))
      if (TEXT_METAS.test(attributes.name ?? attributes.property ?? '')) texts.push(attributes.content ?? '')
    },
    ontext: (text) => void (open.some((name) => HIDDEN.has(name)) || texts.push(text)),
    onclosetag: () => void open.pop(),
  })
  parser.end(html)
  return texts.map((text) => text.replace(/\s+/g, ' ').trim()).filter(Boolean)
}
