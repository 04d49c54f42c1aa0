import { bigserial, index, integer, pgTable, serial, text } from 'drizzle-orm/pg-core'
import { ALERT_KINDS } from '#src/contract/moderation.ts'
import { user } from './auth.ts'
import { board } from './board.ts'
import { instant } from './columns.ts'

/** Alerts for moderators. A job sends them; rows that were sent stay for a while to limit how often that happens. */
export const alert = pgTable(
  'alert',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    kind: text({ enum: ALERT_KINDS }).notNull(),
    /** null for the whole site: only admins are alerted */
    boardId: text('board_id').references(() => board.id, { onDelete: 'cascade' }),
    /** how many reports or posts the alert is about */
    count: integer().notNull(),
    createdAt: instant('created_at').notNull(),
    sentAt: instant('sent_at'),
  },
  (table) => [index('alert_by_board').on(table.boardId), index('alert_by_sending').on(table.sentAt)],
)

/** Browsers of moderators that receive alerts. */
export const pushSubscription = pgTable(
  'push_subscription',
  {
    id: serial().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    /** URL of the browser's push service */
    endpoint: text().notNull().unique(),
    /** the browser's public key, and the secret of the encryption; both base64url */
    p256dh: text().notNull(),
    auth: text().notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [index('push_subscription_by_user').on(table.userId)],
)

/** Calls of the operator's webhook that are not yet delivered. */
export const webhookDelivery = pgTable(
  'webhook_delivery',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    /** the webhook: MODERATION_WEBHOOK_URL or RADIO_WEBHOOK_URL */
    target: text({ enum: ['moderation', 'radio'] })
      .notNull()
      .default('moderation'),
    /** JSON, as it is sent */
    body: text().notNull(),
    createdAt: instant('created_at').notNull(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: instant('next_attempt_at').notNull(),
  },
  (table) => [index('webhook_delivery_by_attempt').on(table.nextAttemptAt)],
)
