import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import {
  hasMigrations,
  latestMigration,
  migrationsFolder,
  OtherVersionError,
  rejectNewerMigration,
} from './migrate.server.ts'

/** fsync stays on, unlike PGlite's default; without a bound its buffers take 128 MB. */
export const startParams = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  'shared_buffers=16MB',
]

/** Of PostgreSQL, whose files change with it; that of PGlite, which cannot be asked before it has opened some. */
const FORMAT = 18

/**
 * Refuses files that PGlite would stumble over without a word of why.
 * @param version what stands in PG_VERSION
 */
export function rejectOtherFormat(version: string): void {
  const format = Number.parseInt(version, 10)
  if (format > FORMAT) throw new OtherVersionError('The data was made by a newer version of this program')
  if (format < FORMAT) {
    throw new OtherVersionError(
      'The data was made by an older version of this program: back it up with that one, then restore it with this one',
    )
  }
}

/** Brings an embedded database up to date, before anybody else can reach it. */
export async function migrateEmbedded(database: PGlite): Promise<void> {
  const table = await database.query<{ found: boolean }>(hasMigrations)
  if (table.rows[0]?.found) {
    const { rows } = await database.query<{ latest: string | number | null }>(latestMigration)
    rejectNewerMigration(rows[0]?.latest)
  }
  await migrate(drizzle(database), { migrationsFolder })
}
