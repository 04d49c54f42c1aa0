/** Elements of HTML that have no end tag, and stand naked in the descriptions of careless feeds. */
const EMPTY_HTML = new Set(['br', 'hr', 'img', 'wbr', 'input'])

export const isEmptyHtml = (tag: string) => EMPTY_HTML.has(tag)

export const isEntry = (name: string) => name === 'item' || name === 'entry'

/** Elements that hold a value each, and none of the fields below. */
export const VALUES: ReadonlySet<string> = new Set([
  'title',
  'link',
  'guid',
  'id',
  'pubdate',
  'published',
  'updated',
  'issued',
  'modified',
  'created',
  'comments',
  'dc:date',
  'dc:title',
  'feedburner:origlink',
])

/** Elements that hold text, with markup perhaps. */
export const TEXTS: ReadonlySet<string> = new Set(['description', 'content:encoded', 'summary', 'content'])

/** Elements an entry is made of, and the entry: none of them stands in a value. */
export const FIELDS: ReadonlySet<string> = new Set([
  ...VALUES,
  ...TEXTS,
  'item',
  'entry',
  'category',
  'author',
  'dc:creator',
  'dc:subject',
  'enclosure',
  'source',
  'media:content',
  'media:thumbnail',
  'media:group',
])

/** Fields that are no part of a text of RSS: HTML has nothing of these names. */
export const NEVER_IN_TEXT: ReadonlySet<string> = new Set([
  'guid',
  'pubdate',
  'item',
  'content:encoded',
  'enclosure',
  'dc:date',
  'dc:creator',
])
