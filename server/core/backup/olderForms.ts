import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TransactionSql } from 'postgres'
import { migrationsFolder } from '#db/migrate.server.ts'
import type { Manifest } from './format.ts'
import { type Column, quoteIdentifier, type SiteTable } from './tables.ts'

/** A migration that moved the rows of tables and dropped them, with the columns of these tables. */
type Move = { migration: string; tables: Record<string, Record<string, string>> }

const MOVES: Move[] = [
  {
    migration: '0033_move_withheld_posts',
    tables: {
      withheld_post: {
        ...{ id: 'bigint', board_id: 'text', thread_id: 'bigint', parent_id: 'bigint', title: 'text', author: 'text' },
        ...{ content: 'text', links: "jsonb default '[]'", image_id: 'text', image: 'jsonb', more_images: 'jsonb' },
        ...{ spoiler: 'boolean default false', sage: 'boolean default false', tripcode: 'text', poster_label: 'text' },
        ...{ created_at: 'timestamptz', withheld_at: 'timestamptz', log_id: 'bigint', held_for: 'text' },
        ...{ was_held_for: 'text', release_at: 'timestamptz' },
      },
      removed_quote: { from_id: 'bigint', to_id: 'bigint' },
    },
  },
]

/** Migrations that changed values. They run after each restore, because a second time they change nothing. */
const CONVERSIONS = ['0039_hold_codes']

/** Tables of older backups that the site no longer has. */
export const movedTables: SiteTable[] = MOVES.flatMap(({ tables }) =>
  Object.entries(tables).map(([name, columns]) => ({ name, columns: Object.keys(columns), primaryKey: [] })),
)

const movesOf = ({ tables }: Manifest) => MOVES.filter((move) => tables.some(({ name }) => name in move.tables))

/** Creates temporary tables for the rows that a backup of an older form has. @returns their columns */
export async function createMovedTables(tx: TransactionSql, manifest: Manifest): Promise<Map<string, Column[]>> {
  const created = movesOf(manifest).flatMap(({ tables }) => Object.entries(tables))
  for (const [name, columns] of created) {
    const definitions = Object.entries(columns).map(([column, type]) => `${quoteIdentifier(column)} ${type}`)
    await tx.unsafe(`create temporary table ${quoteIdentifier(name)} (${definitions})`)
  }
  return new Map(
    created.map(([table, columns]) => [
      table,
      Object.entries(columns).map(([name, type]) => ({ name, type: type.replace(/ default .*/, '') })),
    ]),
  )
}

/**
 * Moves and changes rows as the migrations did, by their own statements: these find the temporary tables by name. What
 * follows `DROP TABLE` is about other things, which later migrations may have changed.
 */
export async function convertRows(tx: TransactionSql, manifest: Manifest): Promise<void> {
  for (const migration of [...movesOf(manifest).map((move) => move.migration), ...CONVERSIONS]) {
    const statements = await readFile(join(migrationsFolder, `${migration}.sql`), 'utf8')
    await tx.unsafe(/.*?\nDROP TABLE [^;]+;/s.exec(statements)?.[0] ?? statements)
  }
}
