import { escapeXml } from '#server/core/http/escapeXml.ts'
import { currentLanguage } from '#src/i18n/currentLanguage.ts'

/** URLs are absolute. Texts are still unescaped. */
export type Podcast = {
  /** URL of the feed */
  url: string
  /** URL of the HTML page with the same content */
  page: string
  title: string
  description: string
  author: string
  image: string
  episodes: Episode[]
}

export type Episode = {
  /** unique and permanent */
  id: string
  page: string
  title: string
  description: string
  author: string
  published: Date
  enclosure: { url: string; bytes: number; type: string }
  /** 0 if unknown */
  seconds: number
  /** URL of the chapters; null if there are none */
  chapters: string | null
}

/** Writes RSS 2.0 with the elements of Apple Podcasts and of the podcast namespace. */
export function writePodcast({ url, page, title, description, author, image, episodes }: Podcast): string {
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:podcast="https://podcastindex.org/namespace/1.0" xmlns:atom="http://www.w3.org/2005/Atom">',
    '<channel>',
    element('title', title),
    element('link', page),
    element('description', description),
    element('language', currentLanguage()),
    empty('atom:link', { rel: 'self', type: 'application/rss+xml', href: url }),
    `<image>${element('url', image)}${element('title', title)}${element('link', page)}</image>`,
    element('itunes:author', author),
    element('itunes:type', 'episodic'),
    element('itunes:explicit', 'false'),
    empty('itunes:category', { text: 'Music' }),
    empty('itunes:image', { href: image }),
    element('podcast:medium', 'podcast'),
    ...episodes.map(writeEpisode),
    '</channel>',
    '</rss>\n',
  ].join('\n')
}

function writeEpisode({ id, page, title, description, author, published, enclosure, ...rest }: Episode): string {
  return [
    '<item>',
    element('title', title),
    element('link', page),
    element('description', description),
    `<guid isPermaLink="false">${escapeXml(id)}</guid>`,
    element('pubDate', published.toUTCString()),
    empty('enclosure', { url: enclosure.url, length: String(enclosure.bytes), type: enclosure.type }),
    element('itunes:author', author),
    ...(rest.seconds > 0 ? [element('itunes:duration', String(Math.round(rest.seconds)))] : []),
    element('itunes:explicit', 'false'),
    ...(rest.chapters === null
      ? []
      : [empty('podcast:chapters', { url: rest.chapters, type: 'application/json+chapters' })]),
    '</item>',
  ].join('\n')
}

const element = (name: string, text: string) => `<${name}>${escapeXml(text)}</${name}>`
const empty = (name: string, attributes: Record<string, string>) =>
  `<${name} ${Object.entries(attributes)
    .map(([key, value]) => `${key}="${escapeXml(value)}"`)
    .join(' ')}/>`
