import { feedPath } from '#src/contract/feeds.ts'
import { currentLanguage } from '#src/i18n/currentLanguage.ts'
import { element, emptyElement, escapeXml } from './escapeXml.ts'

/** URLs are absolute. Texts and `html` are still unescaped. */
export type Feed = {
  /** URL of the HTML page with the same content, below which the feed is */
  page: string
  title: string
  subtitle?: string
  author: string
  entries: FeedEntry[]
}

export type FeedEntry = {
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

/** Stands for a name that became empty, because it had only characters that a format forbids. */
export const ANONYMOUS = 'Anonymous'

/** Returns the time of the last change. An empty feed gets the Unix epoch, so that its content stays the same. */
export const lastUpdate = ({ entries }: Feed): Date =>
  new Date(Math.max(0, ...entries.map(({ updated }) => updated.getTime())))

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
    personElement(feed.author),
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
    personElement(author),
    ...(html === undefined ? [] : [`<content type="html">${escapeXml(html)}</content>`]),
    '</entry>',
  ].join('\n')
}

/** Atom requires a name, but a user's name can become empty: `escapeXml` removes forbidden characters. */
const personElement = (name: string) =>
  `<author>${element('name', escapeXml(name).trim() === '' ? ANONYMOUS : name)}</author>`
const link = (attributes: Record<string, string>) => emptyElement('link', attributes)

/** Writes a feed as JSON Feed 1.1, https://www.jsonfeed.org/version/1.1/ */
export const writeJsonFeed = ({ page, title, subtitle, author, entries }: Feed): string =>
  JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: page,
    feed_url: feedPath(page, 'json'),
    description: subtitle,
    language: currentLanguage(),
    authors: [person(author)],
    items: entries.map(toItem),
  })

/** An item needs a content, so one without HTML gets its title. */
const toItem = ({ id, url, title, author, published, updated, html, pictures = [] }: FeedEntry) => ({
  id,
  url,
  title: title || url,
  ...(html === undefined ? { content_text: title || url } : { content_html: html }),
  date_published: published.toISOString(),
  date_modified: updated.toISOString(),
  authors: [person(author)],
  ...(pictures.length > 0 && {
    attachments: pictures.map((picture) => ({
      url: picture.url,
      mime_type: picture.type,
      size_in_bytes: picture.bytes,
    })),
  }),
})

const person = (name: string) => ({ name: name.trim() || ANONYMOUS })
