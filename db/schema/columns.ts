import { getTableColumns, is, SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { bigint, customType, type PgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** Uses milliseconds, like JavaScript, so that a stored value equals the original. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' })

/** Words with their positions; only the database reads and writes it. */
export const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })

/** A bigint column that is read as a number. */
export const number = (name?: string) => bigint(name as string, { mode: 'number' })

const emptyText = (name: string) => text(name).notNull().default('')

/**
 * Returns a column for each text of a form, such as `added_by` for `addedBy`. Rows from before a field have an empty text.
 * @param limits the maximum length of each text
 */
export const textColumns = <Name extends string>(limits: Record<Name, number>) =>
  Object.fromEntries(
    Object.keys(limits).map((name) => [
      name,
      emptyText(name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
    ]),
  ) as Record<Name, ReturnType<typeof emptyText>>

/** Returns the ids of a post's images after the first one, as indexes contain them. */
export const furtherImageIds = (moreImages: SQLWrapper) => sql`jsonb_path_query_array(${moreImages}, '$[*].id')`

/** Lists columns for an `insert` without drizzle, and their values for its `select`. A value can be SQL. */
export function listValues<Table extends PgTable>(
  table: Table,
  row: Partial<Record<keyof Table['$inferInsert'], unknown>>,
) {
  const columns = getTableColumns(table)
  const listed = Object.entries(row).map(([name, value]) => ({
    column: columns[name] as (typeof columns)[string],
    value,
  }))
  const values = listed.map(({ column, value }) =>
    is(value, SQL) ? value : sql`${sql.param(value, column)}::${sql.raw(column.getSQLType())}`,
  )
  return {
    names: sql.join(
      listed.map(({ column }) => sql.identifier(column.name)),
      sql`, `,
    ),
    values: sql.join(values, sql`, `),
  }
}
