import { escapeXml } from './escapeXml.ts'

/** URLs are absolute. Texts and `html` are still unescaped. */
export type AtomFeed = {
  /** URL and id of the feed */
  url: string
  /** URL of the HTML page with the same content */
  page: string
  title: string
  subtitle?: string
  author: string
  entries: AtomEntry[]
}

export type AtomEntry = {
  /** unique and permanent */
  id: string
  url: string
  title: string
  author: string
  published: Date
  updated: Date
  html?: string
  pictures?: { url: string; type: string; bytes: number }[]
}

/** Returns the time of the last change. An empty feed gets the Unix epoch, so that its content stays the same. */
export const lastUpdate = ({ entries }: AtomFeed): Date =>
  new Date(Math.max(0, ...entries.map(({ updated }) => updated.getTime())))

export function writeAtom(feed: AtomFeed): string {
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">',
    element('id', feed.url),
    element('title', feed.title),
    ...(feed.subtitle === undefined ? [] : [element('subtitle', feed.subtitle)]),
    element('updated', lastUpdate(feed).toISOString()),
    link({ rel: 'self', type: 'application/atom+xml', href: feed.url }),
    link({ rel: 'alternate', type: 'text/html', href: feed.page }),
    person(feed.author),
    ...feed.entries.map(writeEntry),
    '</feed>\n',
  ].join('\n')
}

function writeEntry({ id, url, title, author, published, updated, html, pictures = [] }: AtomEntry): string {
  return [
    '<entry>',
    element('id', id),
    element('title', escapeXml(title).trim() === '' ? url : title),
    element('published', published.toISOString()),
    element('updated', updated.toISOString()),
    link({ rel: 'alternate', type: 'text/html', href: url }),
    ...pictures.map((picture) =>
      link({ rel: 'enclosure', type: picture.type, length: String(picture.bytes), href: picture.url }),
    ),
    person(author),
    ...(html === undefined ? [] : [`<content type="html">${escapeXml(html)}</content>`]),
    '</entry>',
  ].join('\n')
}

const element = (name: string, text: string) => `<${name}>${escapeXml(text)}</${name}>`
/** Atom requires a name, but a user's name can become empty: `escapeXml` removes forbidden characters. */
const person = (name: string) =>
  `<author>${element('name', escapeXml(name).trim() === '' ? 'Anonymous' : name)}</author>`
const link = (attributes: Record<string, string>) =>
  `<link ${Object.entries(attributes)
    .map(([name, value]) => `${name}="${escapeXml(value)}"`)
    .join(' ')}/>`
