import { sql } from 'drizzle-orm'
import { bigserial, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

export const feed = pgTable('feed', {
  url: text().primaryKey(),
  etag: text(),
  lastModified: text('last_modified'),
  /** `title` is the feed's own title, and `source` is its host. Both are null until the server reads the feed. */
  title: text(),
  source: text(),
  /** time of the next fetch; a process claims the feed by moving this time forward */
  nextAt: instant('next_at').notNull(),
  checkedAt: instant('checked_at'),
  failures: integer().notNull().default(0),
  failure: text(),
  /** URL to which the feed has moved permanently; null if it has not */
  movedTo: text('moved_to'),
})

export type ImageSource = {
  url: string
  /** whether `url` is a page that may link to an image */
  page?: boolean
  failures?: number
}

export type ArticleImage = { name: string; width: number; height: number }

export const article = pgTable(
  'article',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    feedUrl: text('feed_url')
      .notNull()
      .references(() => feed.url, { onDelete: 'cascade' }),
    /** hash of the entry's id in the feed, or of its URL if it has no id */
    guid: text().notNull(),
    url: text().notNull(),
    /** Hash of the URL. If another article has the same URL, hash of URL, title and date. */
    urlKey: text('url_key').notNull(),
    title: text().notNull(),
    source: text().notNull(),
    /** the feed's date, but never in the future; for undated articles, the time of the first fetch */
    publishedAt: instant('published_at').notNull(),
    /**
     * Day when the feed last listed an undated article. The row stays for three more days: if the article returns, it
     * must not look new.
     */
    seenAt: instant('seen_at').notNull(),
    imageUrls: jsonb('image_urls').$type<ImageSource[]>().notNull().default([]),
    /** time of the next search for an image; null if the article has an image or the search gave up */
    imageAt: instant('image_at'),
    imageId: text('image_id'),
    image: jsonb().$type<ArticleImage>(),
  },
  (table) => [
    uniqueIndex('article_by_guid').on(table.feedUrl, table.guid),
    uniqueIndex('article_by_url').on(table.urlKey),
    index('article_by_date').on(table.publishedAt.desc().nullsFirst(), table.id.desc().nullsFirst()),
    index('article_by_source').on(table.source, table.publishedAt.desc().nullsFirst(), table.id.desc().nullsFirst()),
    index('article_without_image').on(table.imageAt).where(sql`${table.imageAt} is not null`),
    uniqueIndex('article_by_image').on(table.imageId),
  ],
)
