import { splitWords, wordSet } from '#server/features/news/feed/words.ts'

/** HTML elements without an end tag. Some descriptions contain them unescaped. */
const VOID_ELEMENTS = new Set(['br', 'hr', 'img', 'wbr', 'input'])

export const isVoidElement = (tag: string) => VOID_ELEMENTS.has(tag)

export const isEntry = (name: string) => name === 'item' || name === 'entry'

/** Elements that contain only a value, never another field. */
export const VALUES = wordSet(`
  title link guid id pubdate published updated issued modified created comments dc:date dc:title
  feedburner:origlink
`)

export const TEXTS: ReadonlySet<string> = new Set(['description', 'content:encoded', 'summary', 'content'])

/** Entries and their elements. If one starts inside a VALUES element, the parser closes that element. */
export const FIELDS: ReadonlySet<string> = new Set([
  ...VALUES,
  ...TEXTS,
  ...splitWords(`
    item entry category author dc:creator dc:subject enclosure source media:content media:thumbnail media:group
  `),
])

/** Fields that are never part of an HTML text, because HTML has no elements with these names. */
export const NEVER_IN_TEXT = wordSet('guid pubdate item content:encoded enclosure dc:date dc:creator')
