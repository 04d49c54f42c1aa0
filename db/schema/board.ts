import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  index,
  integer,
  jsonb,
  pgSequence,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { user } from './auth.ts'
import { furtherImageIds, instant, number } from './columns.ts'
import type { FurtherImage, StoredImage } from './storedImage.ts'

/** Threads, comments and replies share one sequence, so that `>>123` can refer to any of them. */
export const postNumber = pgSequence('post_number')

export const board = pgTable('board', {
  /** slug of the board's first name; the row stays after deletion, so the slug is never reused */
  id: text().primaryKey(),
  name: text().notNull(),
  description: text().notNull(),
  /** shown above the form; empty if the board has none */
  rules: text().notNull().default(''),
  /** boards are listed by position, then by age */
  position: integer().notNull().default(0),
  /** the board's live threads beyond this number are archived; 0 for no limit */
  threadLimit: integer('thread_limit').notNull().default(0),
  /** new posts get a label that is the same for all posts of their poster in the thread */
  posterLabels: boolean('poster_labels').notNull().default(false),
  createdAt: instant('created_at').notNull().defaultNow(),
  deletedAt: instant('deleted_at'),
})

export const moderator = pgTable(
  'moderator',
  {
    boardId: text('board_id')
      .notNull()
      .references(() => board.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.boardId, table.userId] })],
)

export const thread = pgTable(
  'thread',
  {
    id: number().primaryKey(),
    boardId: text('board_id')
      .notNull()
      .references(() => board.id),
    title: text().notNull(),
    lastActivity: instant('last_activity').notNull(),
    commentCount: integer('comment_count').notNull().default(0),
    replyCount: integer('reply_count').notNull().default(0),
    /** images of all posts, including the opening post */
    imageCount: integer('image_count').notNull().default(0),
    /** estimated size of the thread's page in bytes and HTML nodes; see features/board/threadLimits.ts */
    byteCount: number('byte_count').notNull().default(0),
    nodeCount: number('node_count').notNull().default(0),
    /** a locked thread takes no comments and replies */
    locked: boolean().notNull().default(false),
    /** a pinned thread is listed first on its board */
    pinned: boolean().notNull().default(false),
    /** an archived thread takes no posts and is not in its board's list */
    archivedAt: instant('archived_at'),
    /** set instead of deleting the row, so that the page answers 410 */
    deletedAt: instant('deleted_at'),
  },
  (table) => [
    // ORDER BY ... DESC sorts nulls first, and PostgreSQL uses an index only if its order is the same.
    index('thread_by_activity')
      .on(table.boardId, table.lastActivity.desc().nullsFirst(), table.id.desc().nullsFirst())
      .where(sql`${table.deletedAt} is null and ${table.archivedAt} is null`),
    index('thread_by_activity_anywhere')
      .on(table.lastActivity.desc().nullsFirst(), table.id.desc().nullsFirst())
      .where(sql`${table.deletedAt} is null and ${table.archivedAt} is null`),
    index('archived_thread')
      .on(table.boardId, table.lastActivity.desc().nullsFirst(), table.id.desc().nullsFirst())
      .where(sql`${table.deletedAt} is null and ${table.archivedAt} is not null`),
    index('pinned_thread').on(table.boardId).where(sql`${table.pinned}`),
  ],
)

/** An opening post (id = thread), a comment (no parent) or a reply (parent = comment). */
export const post = pgTable(
  'post',
  {
    id: number().primaryKey(),
    threadId: number('thread_id')
      .notNull()
      .references(() => thread.id, { onDelete: 'cascade' }),
    parentId: number('parent_id').references((): AnyPgColumn => post.id, { onDelete: 'cascade' }),
    author: text().notNull(),
    content: text().notNull(),
    links: jsonb().$type<string[]>().notNull().default([]),
    imageId: text('image_id'),
    /** the first image */
    image: jsonb().$type<StoredImage>(),
    /** the images after the first one; null if there are none */
    moreImages: jsonb('more_images').$type<FurtherImage[]>(),
    /** the images are covered until the reader uncovers them */
    spoiler: boolean().notNull().default(false),
    /** the post did not bump its thread; never set for opening posts */
    sage: boolean().notNull().default(false),
    /** code of the author's secret, with its mark `!!` */
    tripcode: text(),
    /** name of the poster in this thread; its key is destroyed when the epoch of the post is over */
    posterLabel: text('poster_label'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    index('post_by_thread').on(table.threadId, table.id),
    index('comment_by_thread').on(table.threadId, table.id.desc().nullsFirst()).where(sql`${table.parentId} is null`),
    index('post_by_parent').on(table.parentId).where(sql`${table.parentId} is not null`),
    uniqueIndex('post_by_image').on(table.imageId),
    index('post_by_more_images')
      .using('gin', furtherImageIds(table.moreImages))
      .where(sql`${table.moreImages} is not null`),
    // For the posts of the last 24 hours. With `threadId`, PostgreSQL counts them without reading the posts.
    index('post_by_age').on(table.createdAt, table.threadId),
  ],
)

export const quote = pgTable(
  'quote',
  {
    fromId: number('from_id')
      .notNull()
      .references(() => post.id, { onDelete: 'cascade' }),
    toId: number('to_id')
      .notNull()
      .references(() => post.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.fromId, table.toId] }),
    index('quote_by_target').on(table.toId, table.fromId),
  ],
)
