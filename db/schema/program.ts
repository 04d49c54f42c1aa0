import { bigserial, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

export const program = pgTable('program', {
  id: bigserial({ mode: 'number' }).primaryKey(),
  name: text().notNull(),
  link: text().notNull(),
  description: text().notNull(),
  addedBy: text('added_by').notNull(),
  category: text().notNull(),
  createdAt: instant('created_at').notNull(),
  /** later with every edit, so that an edit of what was read before it can be told */
  updatedAt: instant('updated_at').notNull(),
})
