import { bigint, bigserial, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

/** What changed, for pages that were rendered before and connections that missed it; swept after a day. */
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

/** Challenges that were answered, right or wrong; kept until they would have expired anyway. */
export const spentCaptcha = pgTable(
  'spent_captcha',
  { nonce: text().primaryKey(), expiresAt: instant('expires_at').notNull() },
  (table) => [index('spent_captcha_by_expiry').on(table.expiresAt)],
)

/**
 * Rate limit buckets of networks, accounts and the whole site, by kind and keyed hash (see
 * server/core/limits/tokenBuckets.ts). Without a second index, so that an update of the row that all posts share stays in its
 * page.
 */
export const allowance = pgTable('allowance', {
  key: text().primaryKey(),
  /** the instant, in ms, at which all of it will have come back */
  fullAt: bigint('full_at', { mode: 'number' }).notNull(),
})

/** Bytes stored now, `paste` and `image`; triggers of the tables that hold them keep it (migration stored_bytes). */
export const storedBytes = pgTable('stored_bytes', {
  kind: text().primaryKey(),
  bytes: bigint({ mode: 'number' }).notNull(),
})

/** When each job last ran, over all processes: who takes the lease runs it. */
export const job = pgTable('job', {
  name: text().primaryKey(),
  startedAt: instant('started_at').notNull(),
  /** nobody else begins a run before it; moved on while one goes on, so that it outlives a dead process only shortly */
  leasedUntil: instant('leased_until'),
  /** null while the first run goes on */
  endedAt: instant('ended_at'),
  /** failures in a row */
  failures: integer().notNull().default(0),
})
