import { sql } from 'drizzle-orm'
import { bigserial, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

export const feed = pgTable('feed', {
  url: text().primaryKey(),
  etag: text(),
  lastModified: text('last_modified'),
  /** the feed's own title, and the host of its site; null until the feed is read */
  title: text(),
  source: text(),
  /** not fetched before; the process that fetches moves it forward */
  nextAt: instant('next_at').notNull(),
  checkedAt: instant('checked_at'),
  failures: integer().notNull().default(0),
  failure: text(),
})

export type ImageSource = {
  url: string
  /** a page that may link to an image, instead of an image */
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
    /** hash of the entry's id in the feed, or of its URL where it has none */
    guid: text().notNull(),
    url: text().notNull(),
    /** hash of the URL: the same URL in several feeds is one article */
    urlKey: text('url_key').notNull(),
    title: text().notNull(),
    source: text().notNull(),
    /** from the feed, never in the future; without a date, when it was first seen */
    publishedAt: instant('published_at').notNull(),
    /** For an undated article, the day its feed last listed it: deleted earlier, it would return as new. */
    seenAt: instant('seen_at').notNull(),
    imageUrls: jsonb('image_urls').$type<ImageSource[]>().notNull().default([]),
    /** time of the next search for an image; null when there is one or none can be found */
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
