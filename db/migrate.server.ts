import { fileURLToPath } from 'node:url'
import type { PGlite } from '@electric-sql/pglite'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import type { Sql } from 'postgres'

/** Any number, the same for all processes of this program. */
const ADVISORY_LOCK = 4_217_001_955

const LATEST = 'select max(created_at) as latest from drizzle.__drizzle_migrations'
const EXISTS = "select to_regclass('drizzle.__drizzle_migrations') is not null as found"

/** The bundle lies two folders below the package, this file one. */
const packageRoot = new URL(import.meta.url.endsWith('.ts') ? '../' : '../../', import.meta.url)

export const migrationsFolder = fileURLToPath(new URL('db/migrations', packageRoot))

/** Brings a PostgreSQL up to date over a connection of its own: the lock lasts as long as the session. */
export async function migratePostgres(connection: Sql): Promise<void> {
  await connection`select pg_advisory_lock(${ADVISORY_LOCK})`
  try {
    const [table] = await connection.unsafe<{ found: boolean }[]>(EXISTS)
    if (table?.found) {
      const [row] = await connection.unsafe<{ latest: string | null }[]>(LATEST)
      refuseNewer(row?.latest)
    }
    await migrate(drizzle(connection), { migrationsFolder })
  } finally {
    await connection`select pg_advisory_unlock(${ADVISORY_LOCK})`
  }
}

/** Brings an embedded database up to date, before anybody else can reach it. */
export async function migrateEmbedded(database: PGlite): Promise<void> {
  const table = await database.query<{ found: boolean }>(EXISTS)
  if (table.rows[0]?.found) {
    const { rows } = await database.query<{ latest: string | number | null }>(LATEST)
    refuseNewer(rows[0]?.latest)
  }
  await migratePglite(drizzlePglite(database), { migrationsFolder })
}

function refuseNewer(latest: string | number | null | undefined): void {
  const known = Math.max(...readMigrationFiles({ migrationsFolder }).map((migration) => migration.folderMillis))
  if (Number(latest ?? 0) > known) throw new Error('The data was made by a newer version of this program')
}
