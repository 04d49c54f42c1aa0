import { is } from 'drizzle-orm'
import { getTableConfig, isPgSequence, PgTable } from 'drizzle-orm/pg-core'
import type { Sql } from 'postgres'
import * as schema from '#db/schema/index.ts'

/**
 * A backup may contain the secret. With it, the rows of `session` would allow logins, and the hashes in `known_network`
 * and `origin`, and labels with `poster_label_key`, would reveal IP addresses. With the rows of `push_subscription`,
 * others could send alerts to moderators; those of `watcher` and its tables connect a visitor's posts. `allowance`,
 * `attempt`, `outbox`, `live_host` and `song_request` are outdated after a restore; `recount_stored()`
 * recreates `stored_bytes`, and `index_posts()` recreates `post_search`.
 */
const excludedTables = [
  'session',
  'known_network',
  'origin',
  'poster_label_key',
  'push_subscription',
  'allowance',
  'attempt',
  'outbox',
  'watcher',
  'watched_thread',
  'watched_post',
  'live_host',
  'song_request',
  'stored_bytes',
  'post_search',
]

/** Conditions for rows of tables that a backup contains in part: keys of networks' hashes outlive an epoch only for bans. */
export const rowConditions: Record<string, string> = {
  ban: 'ends_at > now()',
  origin_epoch: 'id in (select epoch_id from ban where ends_at > now())',
}

export type SiteTable = { name: string; columns: string[]; primaryKey: string[] }
export type Column = { name: string; type: string }
export type Sequence = { name: string; value: string; called: boolean }

type Query = Pick<Sql, 'unsafe'>

/** All tables of the schema. Each table comes after the tables that it references. */
export const siteTables: SiteTable[] = sortByReferences()

export const backedUpTables = siteTables.filter(({ name }) => !excludedTables.includes(name))

const exported: unknown[] = Object.values(schema)
const ownSequences = exported.flatMap((one) => (isPgSequence(one) ? (one.seqName ?? []) : []))

function sortByReferences(): SiteTable[] {
  const waiting = new Map(
    Object.values(schema).flatMap((one) => {
      if (!is(one, PgTable)) return []
      const { name, columns, primaryKeys, foreignKeys } = getTableConfig(one)
      const keys = primaryKeys[0]?.columns ?? columns.filter((column) => column.primary)
      const table = { name, columns: columns.map((column) => column.name), primaryKey: keys.map((key) => key.name) }
      const targets = foreignKeys.map((key) => getTableConfig(key.reference().foreignTable).name)
      return [[name, { table, targets: targets.filter((target) => target !== name) }] as const]
    }),
  )
  const ordered: SiteTable[] = []
  while (waiting.size > 0) {
    const [free] = [...waiting.values()].filter(({ targets }) => !targets.some((target) => waiting.has(target)))
    if (!free) throw new Error(`Tables point at each other: ${[...waiting.keys()].join(', ')}`)
    ordered.push(free.table)
    waiting.delete(free.table.name)
  }
  return ordered
}

/** Reads the database's columns, except generated columns. The database may be older than this program. */
export async function readColumns(sql: Query): Promise<Map<string, Column[]>> {
  const rows = await sql.unsafe<{ table: string; name: string; type: string }[]>(`
    select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    order by a.attnum`)
  const columns = new Map<string, Column[]>()
  for (const { table, ...column } of rows) columns.set(table, [...(columns.get(table) ?? []), column])
  return columns
}

export async function readSequences(sql: Query): Promise<Sequence[]> {
  const found = await sql.unsafe<{ name: string }[]>(
    `select distinct c.relname as name from pg_class c
     left join pg_depend d on d.objid = c.oid and d.deptype in ('a', 'i')
     left join pg_class t on t.oid = d.refobjid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'S'
       and (c.relname = any(string_to_array($1, ',')) or t.relname = any(string_to_array($2, ',')))
     order by 1`,
    [ownSequences.join(), backedUpTables.map(({ name }) => name).join()],
  )
  const sequences: Sequence[] = []
  for (const { name } of found) {
    const [at] = await sql.unsafe<{ value: string; called: boolean }[]>(
      `select last_value::text as value, is_called as called from ${quoteIdentifier(name)}`,
    )
    if (at) sequences.push({ name, ...at })
  }
  return sequences
}

export const quoteIdentifier = (name: string) => `"${name.replaceAll('"', '""')}"`
