import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { hasMigrations, latestMigration, migrationsFolder, refuseNewer } from './migrate.server.ts'

/** fsync stays on, unlike PGlite's default; without a bound its buffers take 128 MB. */
export const startParams = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  'shared_buffers=16MB',
]

/** Brings an embedded database up to date, before anybody else can reach it. */
export async function migrateEmbedded(database: PGlite): Promise<void> {
  const table = await database.query<{ found: boolean }>(hasMigrations)
  if (table.rows[0]?.found) {
    const { rows } = await database.query<{ latest: string | number | null }>(latestMigration)
    refuseNewer(rows[0]?.latest)
  }
  await migrate(drizzle(database), { migrationsFolder })
}
