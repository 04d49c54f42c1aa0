import { fileURLToPath } from 'node:url'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import type { Sql } from 'postgres'

/** Any number, the same for all processes of this program. */
const ADVISORY_LOCK = 4_217_001_955

export const latestMigration = 'select max(created_at) as latest from drizzle.__drizzle_migrations'
export const hasMigrations = "select to_regclass('drizzle.__drizzle_migrations') is not null as found"

/** The folder of a build has what is read of the package, one level above the bundle as well. */
export const packageRoot = new URL('../', import.meta.url)

export const migrationsFolder = fileURLToPath(new URL('db/migrations', packageRoot))

/** Brings a PostgreSQL up to date over a connection of its own: the lock lasts as long as the session. */
export async function migratePostgres(connection: Sql): Promise<void> {
  await connection`select pg_advisory_lock(${ADVISORY_LOCK})`
  try {
    await rejectNewerData(connection)
    await migrate(drizzle(connection), { migrationsFolder })
  } finally {
    await connection`select pg_advisory_unlock(${ADVISORY_LOCK})`
  }
}

/**
 * Whether there is a site in a database, older or as old as this program.
 * @throws Error when it is newer
 */
export async function rejectNewerData(sql: Pick<Sql, 'unsafe'>): Promise<boolean> {
  const [table] = await sql.unsafe<{ found: boolean }[]>(hasMigrations)
  if (!table?.found) return false
  const [row] = await sql.unsafe<{ latest: string | null }[]>(latestMigration)
  rejectNewerMigration(row?.latest)
  return true
}

/** The instant of the newest migration that this program knows, in ms. */
export const newestMigration = () =>
  Math.max(...readMigrationFiles({ migrationsFolder }).map((migration) => migration.folderMillis))

/** The data was made by another version of this program, which has to be used. */
export class OtherVersionError extends Error {}

/** Refuses to run on data that a later release has changed. */
export function rejectNewerMigration(latest: string | number | null | undefined): void {
  if (Number(latest ?? 0) > newestMigration()) {
    throw new OtherVersionError('The data was made by a newer version of this program')
  }
}
