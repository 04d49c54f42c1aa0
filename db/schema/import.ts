import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
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
    /**
     * time of the opening post on the old board, in ms since 1970. Unlike the time of the post here, it can be in the
     * future. Null for threads that were imported without it.
     */
    openedMs: number('opened_ms'),
  },
  (table) => [primaryKey({ columns: [table.source, table.number] })],
)

/** Images that were missing when their posts were imported. The next run adds them if they are there then. */
export const missingImage = pgTable(
  'missing_image',
  {
    source: source(),
    /** old number of the post */
    number: number().notNull(),
    /** name of the image in the source */
    name: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.source, table.number, table.name] })],
)

/** Images of imported posts: their old URLs lead to them, and the next run knows which of them the source has deleted. */
export const importedImage = pgTable(
  'imported_image',
  {
    source: source(),
    /** old number of the post */
    number: number().notNull(),
    /** name of the image in the source, without its extension: thumbnails have another one */
    name: text().notNull(),
    /** place in the post, as in `StoredImage` */
    place: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.source, table.number, table.name] }),
    index('imported_image_by_name').on(table.name),
  ],
)
