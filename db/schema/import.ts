import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { board } from './board.ts'
import { number } from './columns.ts'

/** A board of another site whose posts were imported. */
export const importedBoard = pgTable('imported_board', {
  /** name in the URLs of the old site */
  name: text().primaryKey(),
  boardId: text('board_id')
    .notNull()
    .references(() => board.id, { onDelete: 'cascade' }),
})

const source = () =>
  text()
    .notNull()
    .references(() => importedBoard.name, { onDelete: 'cascade' })

/** Numbers of an imported board: the id of a post is its old number plus `shift`. No other posts get these ids. */
export const importedRange = pgTable(
  'imported_range',
  { source: source(), first: number().notNull(), last: number().notNull(), shift: number().notNull() },
  (table) => [primaryKey({ columns: [table.source, table.first] })],
)

/** The progress of an imported thread. The next run adds only newer posts. */
export const importedThread = pgTable(
  'imported_thread',
  {
    source: source(),
    /** old number of the thread */
    number: number().notNull(),
    /** old number of the newest imported post */
    newest: number().notNull(),
  },
  (table) => [primaryKey({ columns: [table.source, table.number] })],
)
