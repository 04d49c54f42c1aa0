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
  updatedAt: instant('updated_at').notNull(),
})
