import { sql } from 'drizzle-orm'
import type { Services } from '#server/core/context.ts'

/**
 * Vacuums the embedded database, which has no autovacuum. Other queries wait, so it vacuums one table at a time.
 */
export async function vacuumDatabase(
  { db, config }: Pick<Services, 'db' | 'config'>,
  signal: AbortSignal,
): Promise<void> {
  if (config.databaseUrl !== undefined) return
  const tables = await db.execute<{ name: string }>(
    sql`select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by tablename`,
  )
  for (const { name } of tables) {
    if (signal.aborted) return
    await db.execute(sql.raw(`vacuum (analyze) ${name}`))
  }
}
