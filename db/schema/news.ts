import { sql } from 'drizzle-orm'
import { bigserial, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

/** A source of news and how asking it went. */
export const feed = pgTable('feed', {
  /** as the settings name it */
  url: text().primaryKey(),
  /** what a conditional request names, from the last answer that could be read */
  etag: text(),
  lastModified: text('last_modified'),
  /** the feed's own title, and the host of its site; null until the feed is read */
  title: text(),
  source: text(),
  /** not asked before; moved on by who takes the turn */
  nextAt: instant('next_at').notNull(),
  checkedAt: instant('checked_at'),
  /** failures in a row, and what the last one was, in words for the operator */
  failures: integer().notNull().default(0),
  failure: text(),
})

/** Where a picture may be had from. */
export type ImageSource = {
  url: string
  /** it is a page, which may name a picture */
  page?: boolean
  /** how often it was asked in vain so far */
  failures?: number
}

/** The picture of an article, made small and kept by us. */
export type ArticleImage = { name: string; width: number; height: number }

export const article = pgTable(
  'article',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    feedUrl: text('feed_url')
      .notNull()
      .references(() => feed.url, { onDelete: 'cascade' }),
    /** hash of the feed's own name for it, or of its address where it has none */
    guid: text().notNull(),
    /** canonical, without what only counts clicks */
    url: text().notNull(),
    /** hash of the address: the same one in several feeds is one article */
    urlKey: text('url_key').notNull(),
    title: text().notNull(),
    /** host of the site it comes from, as the chip shows it */
    source: text().notNull(),
    /** as the feed says, never in the future; without a date the first sighting */
    publishedAt: instant('published_at').notNull(),
    /**
     * Where its feed gives no date: the last time it still had it, to the day, for one that is swept earlier would
     * come back as new. Otherwise the same as `publishedAt`.
     */
    seenAt: instant('seen_at').notNull(),
    /** what is still to be tried for a picture, best first */
    imageUrls: jsonb('image_urls').$type<ImageSource[]>().notNull().default([]),
    /** not before is a picture looked for; null once there is one, or none to be had */
    imageAt: instant('image_at'),
    /** stem of the picture's file name, to find the owner of a file */
    imageId: text('image_id'),
    image: jsonb().$type<ArticleImage>(),
  },
  (table) => [
    uniqueIndex('article_by_guid').on(table.feedUrl, table.guid),
    uniqueIndex('article_by_url').on(table.urlKey),
    // Nulls first, as in every descending ORDER BY that says nothing of them.
    index('article_by_date').on(table.publishedAt.desc().nullsFirst(), table.id.desc().nullsFirst()),
    index('article_by_source').on(table.source, table.publishedAt.desc().nullsFirst(), table.id.desc().nullsFirst()),
    index('article_without_image').on(table.imageAt).where(sql`${table.imageAt} is not null`),
    uniqueIndex('article_by_image').on(table.imageId),
  ],
)
