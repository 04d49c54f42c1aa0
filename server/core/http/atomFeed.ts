import { escapeXml } from './escapeXml.ts'

/** Addresses are absolute; texts are plain and `html` is HTML, neither escaped yet. */
export type AtomFeed = {
  /** of the feed itself; its id too */
  url: string
  /** of the page it follows */
  page: string
  title: string
  subtitle?: string
  /** who speaks where an entry names nobody */
  author: string
  /** newest first */
  entries: AtomEntry[]
}

export type AtomEntry = {
  /** never that of another entry, and never another one */
  id: string
  /** where it is read */
  url: string
  title: string
  author: string
  published: Date
  updated: Date
  html?: string
  picture?: { url: string; type: string; bytes: number }
}

/** When something was last added or changed; of an empty feed the beginning of time, so that it stays the same. */
export const lastUpdate = ({ entries }: AtomFeed): Date =>
  new Date(Math.max(0, ...entries.map(({ updated }) => updated.getTime())))

/** The one writer of Atom 1.0. */
export function writeAtom(feed: AtomFeed): string {
  const head = [
    element('id', feed.url),
    element('title', feed.title),
    ...(feed.subtitle === undefined ? [] : [element('subtitle', feed.subtitle)]),
    element('updated', lastUpdate(feed).toISOString()),
    link({ rel: 'self', type: 'application/atom+xml', href: feed.url }),
    link({ rel: 'alternate', type: 'text/html', href: feed.page }),
    person(feed.author),
  ]
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">',
    ...head,
    ...feed.entries.map(writeEntry),
    '</feed>\n',
  ].join('\n')
}

function writeEntry({ id, url, title, author, published, updated, html, picture }: AtomEntry): string {
  return [
    '<entry>',
    element('id', id),
    element('title', escapeXml(title).trim() === '' ? url : title),
    element('published', published.toISOString()),
    element('updated', updated.toISOString()),
    link({ rel: 'alternate', type: 'text/html', href: url }),
    ...(picture ? [link({ rel: 'enclosure', ...enclosure(picture) })] : []),
    person(author),
    ...(html === undefined ? [] : [`<content type="html">${escapeXml(html)}</content>`]),
    '</entry>',
  ].join('\n')
}

const enclosure = ({ url, type, bytes }: NonNullable<AtomEntry['picture']>) => ({
  type,
  length: String(bytes),
  href: url,
})

const element = (name: string, text: string) => `<${name}>${escapeXml(text)}</${name}>`
/** A name must not be empty, and of one made of what XML cannot hold nothing is left. */
const person = (name: string) =>
  `<author>${element('name', escapeXml(name).trim() === '' ? 'Anonymous' : name)}</author>`
const link = (attributes: Record<string, string>) =>
  `<link ${Object.entries(attributes)
    .map(([name, value]) => `${name}="${escapeXml(value)}"`)
    .join(' ')}/>`
