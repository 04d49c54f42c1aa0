import { pgTable, text } from 'drizzle-orm/pg-core'
import { ROLES } from '#src/contract/user.ts'
import { instant } from './columns.ts'

export const user = pgTable('user', {
  id: text().primaryKey(),
  /** lower case */
  email: text().notNull().unique(),
  passwordHash: text('password_hash').notNull(),
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
