import { fileURLToPath } from 'node:url'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import type { Row, Sql } from 'postgres'
import { errorChain, hasErrorCode } from './errors.server.ts'

const ADVISORY_LOCK = 4_217_001_955

export const latestMigration = 'select max(created_at) as latest from drizzle.__drizzle_migrations'

/** Contains package.json and the migrations. It is one level up both in the sources and in a build. */
export const packageRoot = new URL('../', import.meta.url)

export const migrationsFolder = fileURLToPath(new URL('db/migrations', packageRoot))

const NO_RIGHTS = '42501'
const OWNER = 'ALTER DATABASE name OWNER TO role'

/**
 * @param connection must be dedicated: the advisory lock belongs to its session
 * @throws Error with one line
 */
export async function migratePostgres(connection: Sql): Promise<void> {
  await connection`select pg_advisory_lock(${ADVISORY_LOCK})`
  try {
    await rejectNewerData(connection.unsafe)
    await migrate(drizzle(connection), { migrationsFolder })
  } catch (error) {
    if (error instanceof OtherVersionError) throw error
    // The message of the wrapper is the statement.
    const { message } = errorChain(error).at(-1) as Error
    const fix = hasErrorCode(error, NO_RIGHTS) ? `. Make the role its owner: ${OWNER}` : ''
    throw new Error(`Cannot create or change the tables of the database: ${message}${fix}`, { cause: error })
  } finally {
    await connection`select pg_advisory_unlock(${ADVISORY_LOCK})`
  }
}

/**
 * @param query runs a statement on PostgreSQL or PGlite
 * @returns whether the database contains a site
 * @throws OtherVersionError if a newer version wrote the data
 */
export async function rejectNewerData(query: (text: string) => Promise<Row[]>): Promise<boolean> {
  const [table] = await query("select to_regclass('drizzle.__drizzle_migrations') is not null as found")
  if (!table?.found) return false
  const [row] = await query(latestMigration)
  if (Number(row?.latest ?? 0) > newestMigration()) throw new OtherVersionError(NEWER_DATA)
  return true
}

export const newestMigration = () =>
  Math.max(...readMigrationFiles({ migrationsFolder }).map((migration) => migration.folderMillis))

export const NEWER_DATA = 'The data was made by a newer version of this program: use that version'

export class OtherVersionError extends Error {}
