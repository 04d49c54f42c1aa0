import { bigint, bigserial, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

/** Published changes, replayed to reconnecting pages; deleted after a day. */
export const event = pgTable(
  'event',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    topic: text().notNull(),
    change: jsonb().notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [index('event_by_topic').on(table.topic, table.id), index('event_by_age').on(table.createdAt)],
)

/** Challenges that were answered, right or wrong; deleted when they have expired. */
export const spentCaptcha = pgTable(
  'spent_captcha',
  { nonce: text().primaryKey(), expiresAt: instant('expires_at').notNull() },
  (table) => [index('spent_captcha_by_expiry').on(table.expiresAt)],
)

/** Token buckets, by kind and keyed hash. A second index would prevent HOT updates of the row all posts share. */
export const allowance = pgTable('allowance', {
  key: text().primaryKey(),
  /** time in ms at which the bucket is full again */
  fullAt: bigint('full_at', { mode: 'number' }).notNull(),
})

/** Bytes stored now, by kind: `paste` or `image`. Triggers update it (migration stored_bytes). */
export const storedBytes = pgTable('stored_bytes', {
  kind: text().primaryKey(),
  bytes: bigint({ mode: 'number' }).notNull(),
})

/** Last run of each job over all processes; the process that takes the lease runs it. */
export const job = pgTable('job', {
  name: text().primaryKey(),
  startedAt: instant('started_at').notNull(),
  /** other processes wait until then; renewed during a run, so that it expires soon after a crash */
  leasedUntil: instant('leased_until'),
  endedAt: instant('ended_at'),
  failures: integer().notNull().default(0),
})
