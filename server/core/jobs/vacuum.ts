import { and, eq, gt, sql } from 'drizzle-orm'
import type { Database } from '#db/client.server.ts'
import { moderationLog } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'

/** Tables with content that can be taken down. */
const CONTENT_TABLES = ['image_share', 'paste', 'post', 'post_search', 'program', 'thread', 'withheld_post']
/** Limits the time in which nobody can post, to some seconds. */
const MAX_REBUILT_BYTES = 64_000_000
const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Vacuums the embedded database, which has no autovacuum. Other queries wait, so it vacuums one table at a time. A
 * PostgreSQL is vacuumed only after a takedown: its autovacuum can leave a few deleted rows for weeks. A takedown also
 * rebuilds the index of the search.
 */
export async function vacuumDatabase(
  services: Pick<Services, 'db' | 'config' | 'now'>,
  signal: AbortSignal,
): Promise<void> {
  const { db, config } = services
  const isEmbedded = config.databaseUrl === undefined
  const hasTakedown = await hasRecentTakedown(services)
  if (!isEmbedded && !hasTakedown) return
  const tables = await db.execute<{ name: string }>(
    sql`select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by tablename`,
  )
  for (const { name } of tables) {
    if (!isEmbedded && !CONTENT_TABLES.includes(name)) continue
    if (signal.aborted) return
    await db.execute(sql.raw(`vacuum (analyze) ${name}`))
  }
  if (hasTakedown && !signal.aborted) await rebuildSearchIndex(db)
}

/** Removes the words of deleted posts. PostgreSQL never deletes words from a GIN index. */
async function rebuildSearchIndex(db: Database): Promise<void> {
  const [index] = await db.execute<{ bytes: string }>(sql`select pg_relation_size('post_search_by_word') as bytes`)
  if (Number(index?.bytes) <= MAX_REBUILT_BYTES) await db.execute(sql`reindex index post_search_by_word`)
}

async function hasRecentTakedown({ db, now }: Pick<Services, 'db' | 'now'>): Promise<boolean> {
  const isRecent = gt(moderationLog.at, new Date(now().getTime() - DAY_MS))
  const found = await db
    .select({ id: moderationLog.id })
    .from(moderationLog)
    .where(and(eq(moderationLog.action, 'takedown'), isRecent))
    .limit(1)
  return found.length > 0
}
