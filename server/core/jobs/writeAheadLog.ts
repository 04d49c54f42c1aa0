import { sql } from 'drizzle-orm'
import type { Services } from '#server/core/context.ts'

/**
 * Replaces the files of the embedded database's write-ahead log, which contain erased rows. `wal_recycle` is off, so old
 * files are deleted. A PostgreSQL keeps its log as its operator wants.
 */
export async function eraseWriteAheadLog({ db, config }: Pick<Services, 'db' | 'config'>): Promise<void> {
  if (config.databaseUrl !== undefined) return
  await db.execute(sql`select pg_switch_wal()`)
  await db.execute(sql`checkpoint`)
}
