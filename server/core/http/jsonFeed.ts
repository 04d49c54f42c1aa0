import { feedPath } from '#src/contract/feeds.ts'
import { currentLanguage } from '#src/i18n/currentLanguage.ts'
import { ANONYMOUS, type Feed, type FeedEntry } from './feed.ts'

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
