import { bigint, bigserial, index, integer, json, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { bytes, instant, number } from './columns.ts'

/** Published changes. The server replays them to pages that reconnect, and deletes them after a day. */
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

/** Messages to moderators, visitors and webhooks that are not sent yet. A job sends them. */
export const outbox = pgTable(
  'outbox',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    target: text({ enum: ['moderators', 'watchers', 'moderation-webhook', 'radio-webhook'] }).notNull(),
    /** `json` keeps the order of the fields for receivers, and all characters of titles */
    message: json().notNull(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: instant('next_attempt_at').notNull(),
  },
  (table) => [index('outbox_by_target').on(table.target, table.id)],
)

/**
 * Challenges of captchas and passkeys that were answered, right or wrong. A job deletes them after they expire. Nothing else
 * reads all rows, so the table has no index that slows down posts.
 */
export const spentCaptcha = pgTable('spent_captcha', {
  nonce: text().primaryKey(),
  expiresAt: instant('expires_at').notNull(),
})

/**
 * The post or report that an attempt made. The key is a hash of its captcha and form. A job deletes the row when the
 * captcha expires. As in `spentCaptcha`, nothing else reads all rows.
 */
export const attempt = pgTable('attempt', {
  key: bytes().primaryKey(),
  expiresAt: instant('expires_at').notNull(),
  /** id of the post or report; null while it is stored */
  itemId: number('item_id'),
})

/** Token buckets by kind and keyed hash. Posts change `fullAt` often, and an index on it would prevent HOT updates. */
export const allowance = pgTable('allowance', {
  key: text().primaryKey(),
  /** time in ms when the bucket is full again */
  fullAt: bigint('full_at', { mode: 'number' }).notNull(),
})

/** Bytes that are stored now, by kind: `paste` or `image`. Triggers update the numbers (migration stored_bytes). */
export const storedBytes = pgTable('stored_bytes', {
  kind: text().primaryKey(),
  bytes: bigint({ mode: 'number' }).notNull(),
})

/** A completed run of a job, in JSON. */
export type JobRun = {
  startedAt: string
  seconds: number
  /** null if the run succeeded */
  error: string | null
}

/** The last runs of each job. All processes share the jobs: the process that gets the lease runs the job. */
export const job = pgTable('job', {
  name: text().primaryKey(),
  startedAt: instant('started_at').notNull(),
  /** Other processes wait until then. The lease is short and renewed during a run, so it expires soon after a crash. */
  leasedUntil: instant('leased_until'),
  endedAt: instant('ended_at'),
  failures: integer().notNull().default(0),
  /** the last completed runs, newest first */
  runs: jsonb().$type<JobRun[]>().notNull().default([]),
})
