import { and, eq, gt, sql } from 'drizzle-orm'
import type { Sql } from 'postgres'
import { openOwnConnection } from '#db/client.server.ts'
import { moderationLog } from '#db/schema/index.ts'
import type { Services } from '#server/core/context.ts'

/** Tables with content that can be taken down. */
const CONTENT_TABLES = ['image_share', 'paste', 'post', 'post_search', 'program', 'thread']
/** Limits the time in which nobody can post, to some seconds. */
const MAX_REBUILT_BYTES = 64_000_000
const DAY_MS = 24 * 60 * 60 * 1000
/** Replaces the timeout of ordinary statements: a vacuum that never ends would never protect its table. */
const TIMEOUT_MS = 60 * 60 * 1000

/**
 * Vacuums the embedded database, which has no autovacuum: all tables, because transaction ids of tables that are never
 * vacuumed run out. Other queries wait, so it vacuums one table at a time. A PostgreSQL is vacuumed only after a takedown:
 * its autovacuum can leave a few deleted rows for weeks. A takedown also rebuilds the index of the search.
 */
export async function vacuumDatabase(
  services: Pick<Services, 'db' | 'config' | 'now'>,
  signal: AbortSignal,
): Promise<void> {
  const isEmbedded = services.config.databaseUrl === undefined
  const hasTakedown = await hasRecentTakedown(services)
  if (!isEmbedded && !hasTakedown) return
  const connection = openOwnConnection(services.db, TIMEOUT_MS)
  try {
    for (const { name, table, isChanged } of await listTables(connection)) {
      if (!isEmbedded && !CONTENT_TABLES.includes(table)) continue
      if (signal.aborted) return
      await connection.unsafe(`vacuum (analyze ${isChanged}) ${name}`)
    }
    if (hasTakedown && !signal.aborted) await rebuildSearchIndex(connection)
  } finally {
    await connection.end({ timeout: 1 })
  }
  if (hasTakedown) await eraseWriteAheadLog(services)
}

/**
 * Lists the site's tables and those of PostgreSQL itself. `isChanged`: more rows changed since the last analyze
 * than autovacuum's threshold.
 */
const listTables = (connection: Sql) => connection<{ name: string; table: string; isChanged: boolean }[]>`
  select c.oid::regclass::text as name, c.relname as table,
    s.last_analyze is null or s.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0) as "isChanged"
  from pg_class c join pg_stat_all_tables s on s.relid = c.oid
  where c.relkind = 'r' and s.schemaname in ('public', 'drizzle', 'pg_catalog') order by s.schemaname desc, c.relname`

/** Removes the words of deleted posts. PostgreSQL never deletes words from a GIN index. */
async function rebuildSearchIndex(connection: Sql): Promise<void> {
  const [index] = await connection<{ bytes: string }[]>`select pg_relation_size('post_search_by_word') as bytes`
  if (Number(index?.bytes) <= MAX_REBUILT_BYTES) await connection`reindex index post_search_by_word`
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

/**
 * Replaces the files of the embedded database's write-ahead log, which contain erased rows. `wal_recycle` is off, so old
 * files are deleted. A PostgreSQL keeps its log as its operator wants.
 */
export async function eraseWriteAheadLog({ db, config }: Pick<Services, 'db' | 'config'>): Promise<void> {
  if (config.databaseUrl !== undefined) return
  await db.execute(sql`select pg_switch_wal()`)
  await db.execute(sql`checkpoint`)
}
