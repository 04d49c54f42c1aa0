import { bigserial, pgTable } from 'drizzle-orm/pg-core'
import { programLimits } from '#src/contract/program.ts'
import { instant, textColumns } from './columns.ts'

export const program = pgTable('program', {
  id: bigserial({ mode: 'number' }).primaryKey(),
  ...textColumns(programLimits),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
})
