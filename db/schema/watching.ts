import { boolean, index, integer, pgTable, primaryKey, serial, text } from 'drizzle-orm/pg-core'
import { instant, number } from './columns.ts'

/** Browsers of visitors that get alerts about threads and replies. Nothing connects them with a user or a network. */
export const watcher = pgTable(
  'watcher',
  {
    id: serial().primaryKey(),
    /** URL of the browser's push service */
    endpoint: text().notNull().unique(),
    /** the browser's public key, and the secret of the encryption; both base64url */
    p256dh: text().notNull(),
    auth: text().notNull(),
    renewedAt: instant('renewed_at').notNull(),
  },
  (table) => [index('watcher_by_renewal').on(table.renewedAt)],
)

export const watchedThread = pgTable(
  'watched_thread',
  {
    watcherId: integer('watcher_id')
      .notNull()
      .references(() => watcher.id, { onDelete: 'cascade' }),
    threadId: number('thread_id').notNull(),
    /** false: only replies to own posts cause alerts */
    isWatched: boolean('is_watched').notNull(),
    /** the newest post that the visitor has seen */
    readId: number('read_id').notNull(),
    /** the post of the last alert */
    alertedId: number('alerted_id'),
    alertedAt: instant('alerted_at'),
  },
  (table) => [
    primaryKey({ columns: [table.watcherId, table.threadId] }),
    index('watched_thread_by_thread').on(table.threadId),
  ],
)

/** Posts of a visitor who gets alerts about replies. */
export const watchedPost = pgTable(
  'watched_post',
  {
    watcherId: integer('watcher_id')
      .notNull()
      .references(() => watcher.id, { onDelete: 'cascade' }),
    postId: number('post_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.watcherId, table.postId] }), index('watched_post_by_post').on(table.postId)],
)
