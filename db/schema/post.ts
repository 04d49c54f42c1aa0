import { type SQL, sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  index,
  jsonb,
  type PgColumn,
  pgSequence,
  pgTable,
  pgView,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { CAPCODES } from '#src/contract/post.ts'
import { thread } from './board.ts'
import { furtherImageIds, instant, number } from './columns.ts'
import type { FurtherImage, StoredImage } from './image.ts'
import { moderationLog } from './moderation.ts'

/**
 * `held`: waits for a review. `removed`: can be restored for a week. `erased`: only its number and place are left.
 */
const POST_STATES = ['live', 'held', 'removed', 'erased'] as const
export type PostState = (typeof POST_STATES)[number]

/** Threads, comments and replies share one sequence, so that `>>123` can refer to any of them. */
export const postNumber = pgSequence('post_number')

/** The columns that authors and moderators fill. They are empty in stubs and in erased posts. */
const written = {
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
  /** how a moderator signed the post */
  capcode: text({ enum: CAPCODES }),
  /** text of a moderator below the post, from the ban of its poster */
  note: text(),
  /** name of the poster in this thread; its key is destroyed when the epoch of the post is over */
  posterLabel: text('poster_label'),
}

/** An opening post (id = thread), a comment (no parent) or a reply (parent = comment). */
export const post = pgTable(
  'post',
  {
    id: number().primaryKey(),
    threadId: number('thread_id')
      .notNull()
      .references(() => thread.id, { onDelete: 'cascade' }),
    parentId: number('parent_id').references((): AnyPgColumn => post.id, { onDelete: 'cascade' }),
    ...written,
    /** a moderator deleted its images */
    fileDeleted: boolean('file_deleted').notNull().default(false),
    createdAt: instant('created_at').notNull(),
    /** Only `changeState` changes it. */
    state: text({ enum: POST_STATES }).notNull().default('live'),
    /** since when the post is not live */
    stateAt: instant('state_at'),
    /** the log entry of the removal */
    logId: number('log_id').references(() => moderationLog.id, { onDelete: 'set null' }),
    /** why a held post waits, for moderators. A removed post keeps it if nobody reviewed it: restoring holds it again. */
    heldFor: text('held_for'),
    /** when a held post is published without a review; null if it waits for a moderator */
    releaseAt: instant('release_at'),
    /** its author deleted the post, but it keeps its place, because others answered it */
    stub: boolean().notNull().default(false),
  },
  (table) => [
    index('post_by_thread').on(table.threadId, table.id).where(sql`${table.state} = 'live' or ${table.stub}`),
    index('comment_by_thread')
      .on(table.threadId, table.id.desc().nullsFirst())
      .where(sql`${table.state} = 'live' and ${table.parentId} is null`),
    index('post_by_parent').on(table.parentId).where(sql`${table.parentId} is not null`),
    uniqueIndex('post_by_image').on(table.imageId).where(sql`${table.imageId} is not null`),
    index('post_by_more_images')
      .using('gin', furtherImageIds(table.moreImages))
      .where(sql`${table.moreImages} is not null`),
    // For the posts of the last 24 hours. With `threadId`, PostgreSQL counts them without reading the posts.
    index('post_by_age').on(table.createdAt, table.threadId).where(sql`${table.state} = 'live'`),
    index('withheld_by_thread').on(table.threadId).where(sql`${table.state} in ('held', 'removed')`),
    index('withheld_by_age').on(table.stateAt).where(sql`${table.state} in ('held', 'removed')`),
    index('post_by_removal').on(table.logId).where(sql`${table.state} = 'removed'`),
    index('post_by_hold').on(table.id).where(sql`${table.state} = 'held'`),
    index('post_by_release').on(table.releaseAt).where(sql`${table.state} = 'held'`),
  ],
)

/** The posts that readers see. */
export const livePost = pgView('live_post').as((query) => query.select().from(post).where(sql`${post.state} = 'live'`))

export type WrittenPost = Pick<typeof post.$inferSelect, keyof typeof written>

const mapWritten = (map: (column: PgColumn) => unknown) =>
  Object.fromEntries(Object.keys(written).map((name) => [name, map(post[name as keyof WrittenPost])]))

const blankOf = ({ notNull, default: value }: PgColumn) => (notNull ? (value ?? '') : null)

/** A post in which nothing was written. */
export const BLANK_POST = mapWritten(blankOf) as WrittenPost

/** Returns a column that is blank in stubs. */
function unlessStub(column: PgColumn) {
  const blank = blankOf(column)
  const literal = Array.isArray(blank) ? "'[]'" : blank === '' ? "''" : String(blank)
  return sql`case when ${post.stub} then ${sql.raw(literal)} else ${column} end`.as(column.name)
}

const { imageId: _imageId, ...shown } = mapWritten(unlessStub) as {
  [Name in keyof WrittenPost]: SQL.Aliased<WrittenPost[Name]>
}

/** The posts that threads show: live posts, and stubs without what their authors wrote. */
export const shownPost = pgView('shown_post').as((query) =>
  query
    .select({
      ...{ id: post.id, threadId: post.threadId, parentId: post.parentId, createdAt: post.createdAt },
      ...{ state: post.state, stub: post.stub, fileDeleted: post.fileDeleted },
      ...shown,
    })
    .from(post)
    .where(sql`${post.state} = 'live' or ${post.stub}`),
)

/** Quotes by live posts. The quoted post may have any state, or not be imported yet. */
export const quote = pgTable(
  'quote',
  {
    fromId: number('from_id')
      .notNull()
      .references(() => post.id, { onDelete: 'cascade' }),
    toId: number('to_id').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.fromId, table.toId] }),
    index('quote_by_target').on(table.toId, table.fromId),
  ],
)
