import { sql } from 'drizzle-orm'
import {
  bigserial,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  serial,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { BAN_WIDTHS, ORIGIN_KINDS } from '#src/contract/bans.ts'
import { FILTER_EFFECTS, FILTER_KINDS, type FilterField } from '#src/contract/filters.ts'
import { LOG_ROLES, type ModerationAction } from '#src/contract/log.ts'
import { ITEM_KINDS, REPORT_REASONS, type ReportOutcome } from '#src/contract/reports.ts'
import { SWITCHES } from '#src/contract/switches.ts'
import { ownerId, user } from './auth.ts'
import { board } from './board.ts'
import { bytes, instant, number } from './columns.ts'

/**
 * Random keys of the hashes in `origin`. A key is destroyed when its epoch is over, unless a live ban needs it: without
 * the key, nobody can tell whether an IP address posted.
 */
export const originEpoch = pgTable('origin_epoch', {
  id: serial().primaryKey(),
  key: bytes().notNull(),
  startedAt: instant('started_at').notNull(),
})

/**
 * Random keys of the labels that readers see. Labels outlive their epoch, so these keys do not: no ban keeps them, and
 * no backup contains them.
 */
export const posterLabelKey = pgTable('poster_label_key', {
  epochId: integer('epoch_id')
    .primaryKey()
    .references(() => originEpoch.id, { onDelete: 'cascade' }),
  key: bytes().notNull(),
})

/** Where posts, pastes and shared images came from: keyed hashes of networks, deleted when their epoch is over. */
export const origin = pgTable(
  'origin',
  {
    kind: text({ enum: ORIGIN_KINDS }).notNull(),
    /** number of the post, lookup of the paste (hex), or id of the shared image */
    itemId: text('item_id').notNull(),
    epochId: integer('epoch_id')
      .notNull()
      .references(() => originEpoch.id, { onDelete: 'cascade' }),
    /** HMAC of the IPv4 address or the /64 */
    host: bytes().notNull(),
    /** HMAC of the /24 or the /48 */
    range: bytes().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.itemId] }),
    index('origin_by_host').on(table.host),
    index('origin_by_range').on(table.range),
  ],
)

export const ban = pgTable(
  'ban',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    epochId: integer('epoch_id')
      .notNull()
      .references(() => originEpoch.id),
    /** the `host` or `range` of an origin */
    hash: bytes().notNull(),
    width: text({ enum: BAN_WIDTHS }).notNull(),
    /** null for the whole site */
    boardId: text('board_id').references(() => board.id, { onDelete: 'cascade' }),
    reason: text().notNull(),
    createdAt: instant('created_at').notNull(),
    /** when the ban ends; an earlier end lifts it */
    endsAt: instant('ends_at').notNull(),
    createdBy: text('created_by').references(() => user.id, { onDelete: 'set null' }),
    appeal: text(),
    appealedAt: instant('appealed_at'),
    /** when a moderator answered the appeal */
    answeredAt: instant('answered_at'),
  },
  (table) => [index('ban_by_hash').on(table.hash), index('ban_by_end').on(table.endsAt)],
)

/** The log of what moderators did. The public log shows the role, the action, the board and the reason. */
export const moderationLog = pgTable(
  'moderation_log',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    at: instant('at').notNull(),
    action: text().$type<ModerationAction>().notNull(),
    actorId: text('actor_id').references(() => user.id, { onDelete: 'set null' }),
    role: text({ enum: LOG_ROLES }).notNull(),
    boardId: text('board_id').references(() => board.id, { onDelete: 'cascade' }),
    threadId: number('thread_id'),
    /** number of the post, id of the shared image or program; null for pastes and for actions on several items */
    itemId: text('item_id'),
    /** how many posts the action removed */
    count: integer().notNull().default(1),
    reason: text().notNull().default(''),
    /** when the action was undone */
    undoneAt: instant('undone_at'),
  },
  (table) => [index('moderation_log_by_board').on(table.boardId, table.id)],
)

export const report = pgTable(
  'report',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    kind: text({ enum: ITEM_KINDS }).notNull(),
    /** number of the post, lookup of the paste (hex), or id of the shared image or program */
    itemId: text('item_id').notNull(),
    boardId: text('board_id').references(() => board.id, { onDelete: 'cascade' }),
    reason: text({ enum: REPORT_REASONS }).notNull(),
    text: text().notNull(),
    /** the paste's URL, encrypted with a key of the site's secret; deleted when the report is closed */
    sealedUrl: bytes('sealed_url'),
    createdAt: instant('created_at').notNull(),
    closedAt: instant('closed_at'),
    closedBy: text('closed_by').references(() => user.id, { onDelete: 'set null' }),
    outcome: text().$type<ReportOutcome>(),
  },
  (table) => [
    index('open_report').on(table.id).where(sql`${table.closedAt} is null`),
    index('report_by_item').on(table.kind, table.itemId),
  ],
)

/** A filter for posts, pastes and names. Images have their own table, `blocked_image`. */
export const filter = pgTable('filter', {
  id: serial().primaryKey(),
  kind: text({ enum: FILTER_KINDS }).notNull(),
  value: text().notNull(),
  fields: jsonb().$type<FilterField[]>().notNull(),
  effect: text({ enum: FILTER_EFFECTS }).notNull(),
  /** error message for the refused author */
  message: text().notNull().default(''),
  /** takes the place of what a filter with the effect `replace` finds */
  replacement: text().notNull().default(''),
  enabled: boolean().notNull().default(true),
  createdAt: instant('created_at').notNull(),
  createdBy: text('created_by').references(() => user.id, { onDelete: 'set null' }),
})

/** Images that must not be uploaded again. Only their hashes are stored. */
export const blockedImage = pgTable(
  'blocked_image',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    /** SHA-256 of the uploaded bytes, if they are known */
    uploadHash: bytes('upload_hash'),
    /** SHA-256 of the stored original */
    originalHash: bytes('original_hash').notNull(),
    /** perceptual hashes of the image and crops of it; null for a nearly flat image */
    variants: bytes(),
    reason: text().notNull().default(''),
    createdAt: instant('created_at').notNull(),
    /** uploads that were refused or held */
    matches: integer().notNull().default(0),
    lastMatchAt: instant('last_match_at'),
    /** the takedown that blocked the image */
    logId: number('log_id').references(() => moderationLog.id, { onDelete: 'set null' }),
  },
  (table) => [
    uniqueIndex('blocked_image_by_original').on(table.originalHash),
    index('blocked_image_by_log').on(table.logId),
  ],
)

/** Switches that are on. A switch without a row is off. */
export const siteSwitch = pgTable('site_switch', {
  name: text({ enum: SWITCHES }).primaryKey(),
  since: instant('since').notNull(),
  /** when the switch turns itself off; null if it stays on */
  until: instant('until'),
})

/** Items that were taken down and have URLs of their own. The URLs answer 410. */
export const takedown = pgTable('takedown', {
  /** HMAC of kind and id: ids of pastes and shared images grant access, so they are not stored */
  hash: bytes().primaryKey(),
  at: instant('at').notNull(),
})

/** Browsers of moderators that receive alerts. */
export const pushSubscription = pgTable(
  'push_subscription',
  {
    id: serial().primaryKey(),
    userId: ownerId(),
    /** URL of the browser's push service */
    endpoint: text().notNull().unique(),
    /** the browser's public key, and the secret of the encryption; both base64url */
    p256dh: text().notNull(),
    auth: text().notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [index('push_subscription_by_user').on(table.userId)],
)
