import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { ownerId } from './auth.ts'
import { instant, number } from './columns.ts'

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
  /** given to posts without a name; empty if posts need one */
  defaultName: text('default_name').notNull().default(''),
  /** newest comments that the board's page shows below each thread */
  latestReplies: integer('latest_replies').notNull().default(1),
  createdAt: instant('created_at').notNull().defaultNow(),
  deletedAt: instant('deleted_at'),
})

export const moderator = pgTable(
  'moderator',
  {
    boardId: text('board_id')
      .notNull()
      .references(() => board.id, { onDelete: 'cascade' }),
    userId: ownerId(),
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
    /** estimated size of the thread's page in bytes and HTML nodes; see features/board/write/threadLimits.ts */
    byteCount: number('byte_count').notNull().default(0),
    nodeCount: number('node_count').notNull().default(0),
    /** a locked thread takes no comments and replies */
    locked: boolean().notNull().default(false),
    /** a pinned thread is listed first on its board */
    pinned: boolean().notNull().default(false),
    /** comments do not raise a bumplocked thread */
    bumplocked: boolean().notNull().default(false),
    /** a cyclical thread is never full: new posts remove the oldest ones */
    cyclical: boolean().notNull().default(false),
    /** an archived thread takes no posts and is not in its board's list */
    archivedAt: instant('archived_at'),
    /** since when the opening post is not live, so that nobody sees the thread */
    deletedAt: instant('deleted_at'),
    /** when a post of the thread, or the thread itself, last changed; never goes back */
    changedAt: instant('changed_at').notNull().defaultNow(),
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

/** Boards that a thread was on before: their URLs of the thread redirect. */
export const movedThread = pgTable(
  'moved_thread',
  {
    threadId: number('thread_id')
      .notNull()
      .references(() => thread.id, { onDelete: 'cascade' }),
    boardId: text('board_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.threadId, table.boardId] })],
)
