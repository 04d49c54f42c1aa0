import { boolean, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { ROLES } from '#src/contract/user.ts'
import { instant } from './columns.ts'

export const user = pgTable('user', {
  id: text().primaryKey(),
  /** always lower case */
  email: text().notNull().unique(),
  passwordHash: text('password_hash').notNull(),
  /** whether the site generated this admin's password; the server's log may still contain it */
  generatedPassword: boolean('generated_password').notNull().default(false),
  role: text({ enum: ROLES }).notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
})

export const session = pgTable('session', {
  id: text().primaryKey(),
  userId: text('user_id')
    .notNull()
    .references(() => user.id, { onDelete: 'cascade' }),
  expiresAt: instant('expires_at').notNull(),
})

/** Networks that a user logged in from, as keyed hashes. Failed logins from other networks do not lock the user out. */
export const knownNetwork = pgTable(
  'known_network',
  {
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    network: text().notNull(),
    loggedInAt: instant('logged_in_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.network] })],
)
