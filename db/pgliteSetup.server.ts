import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import type { Row } from 'postgres'
import { migrationsFolder, NEWER_DATA, OtherVersionError, rejectNewerData } from './migrate.server.ts'

/** Keeps fsync on, which PGlite turns off, and limits the buffers, which take 128 MB by default. */
export const startParams = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  'shared_buffers=16MB',
]

/** Major version of PostgreSQL in PGlite, which PGlite reveals only after opening files. */
const POSTGRES_VERSION = 18

/** PGlite fails without a reason for files of another version. @param version content of PG_VERSION */
export function rejectOtherFormat(version: string): void {
  const found = Number.parseInt(version, 10)
  if (found > POSTGRES_VERSION) throw new OtherVersionError(NEWER_DATA)
  if (found < POSTGRES_VERSION) {
    throw new OtherVersionError(
      'The data was made by an older version of this program: back it up with that one, then restore it with this one',
    )
  }
}

export async function migrateEmbedded(database: PGlite): Promise<void> {
  await rejectNewerData(async (text) => (await database.query<Row>(text)).rows)
  await migrate(drizzle(database), { migrationsFolder })
}
