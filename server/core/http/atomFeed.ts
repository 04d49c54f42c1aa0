import { feedPath } from '#src/contract/feeds.ts'
import { currentLanguage } from '#src/i18n/currentLanguage.ts'
import { escapeXml } from './escapeXml.ts'
import { ANONYMOUS, type Feed, type FeedEntry, lastUpdate } from './feed.ts'

export function writeAtom(feed: Feed): string {
  const url = feedPath(feed.page, 'atom')
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${currentLanguage()}">`,
    element('id', url),
    element('title', feed.title),
    ...(feed.subtitle === undefined ? [] : [element('subtitle', feed.subtitle)]),
    element('updated', lastUpdate(feed).toISOString()),
    link({ rel: 'self', type: 'application/atom+xml', href: url }),
    link({ rel: 'alternate', type: 'text/html', href: feed.page }),
    person(feed.author),
    ...feed.entries.map(writeEntry),
    '</feed>\n',
  ].join('\n')
}

function writeEntry({ id, url, title, author, published, updated, html, pictures = [] }: FeedEntry): string {
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
const person = (name: string) => `<author>${element('name', escapeXml(name).trim() === '' ? ANONYMOUS : name)}</author>`
const link = (attributes: Record<string, string>) =>
  `<link ${Object.entries(attributes)
    .map(([name, value]) => `${name}="${escapeXml(value)}"`)
    .join(' ')}/>`
