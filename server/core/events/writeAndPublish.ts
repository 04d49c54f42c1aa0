import { and, lt, type SQL, sql } from 'drizzle-orm'
import type { Database, Transaction } from '#db/client.server.ts'
import { event } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import type { PublishedChange, TopicChange } from './event.ts'

/** PostgreSQL rejects notifications of 8,000 bytes or more. A change has at most 200 bytes. */
const CHANGES_PER_NOTIFICATION = 30
const EVENT_LIFETIME_MS = 24 * 60 * 60 * 1000

/** The changes that a transaction has published so far. */
type Publication = { authorHash: string | undefined; changes: PublishedChange[] }
/** Lets `publish` find a transaction's change list. Only `writeAndPublish` transactions have a list. */
const openPublications = new WeakMap<Transaction, Publication>()

/** `visitor` is missing in commands: no visitor waits for the change. */
export type Publisher = Pick<Context, 'db' | 'cache'> & Partial<Pick<Context, 'visitor'>>

/** Runs a transaction. Marks changed pages stale before returning, so the writer's next request sees the change. */
export async function writeAndPublish<T>(
  { db, cache, visitor }: Publisher,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const authorHash = visitor?.()
  let publication: Publication | undefined
  try {
    const result = await db.transaction((tx) => {
      // Start with an empty list: after a deadlock, the transaction runs again.
      publication = { authorHash, changes: [] }
      openPublications.set(tx, publication)
      return work(tx)
    })
    cache.invalidate(publication?.changes ?? [])
    return result
  } catch (error) {
    // The connection can fail after a successful commit, so treat the pages as changed.
    cache.invalidateUncommitted(publication?.changes ?? [])
    throw error
  }
}

/** Runs a single statement that ends with `publishCtes`. @returns the statement's first row */
export async function executeAndPublish<Row extends object>(
  { db, cache }: Pick<Context, 'db' | 'cache'>,
  statement: SQL,
  tx?: Transaction,
): Promise<Row | undefined> {
  const rows = await (tx ?? db).execute<Row & { changes: PublishedChange[] | null }>(statement)
  const changes = rows.flatMap((row) => row.changes ?? [])
  if (tx) openPublications.get(tx)?.changes.push(...changes)
  else cache.invalidate(changes)
  return rows[0] as Row | undefined
}

/**
 * Stores changes as events and notifies all processes when the transaction commits. In `writeAndPublish`, this process
 * marks its pages stale before the writer gets the response. In other transactions (jobs and CLI commands), no
 * visitor waits, so pages become stale when the notification arrives.
 */
export async function publish(tx: Transaction, now: Date, changes: TopicChange[]): Promise<void> {
  if (changes.length === 0) return
  const publication = openPublications.get(tx)
  const rows = sql`select value ->> 'topic', value -> 'change'
    from jsonb_array_elements(${JSON.stringify(changes)}::jsonb) with ordinality order by ordinality`
  const statement = sql`with ${publishCtes(rows, now, publication?.authorHash)} select changes from published`
  const published = await tx.execute<{ changes: PublishedChange[] }>(statement)
  publication?.changes.push(...published.flatMap((row) => row.changes))
}

/**
 * Returns the last CTEs of a statement. `published` has the `changes`, thirty in each row, or no row if nothing changed.
 * @param changes query of topics and changes
 */
export const publishCtes = (changes: SQL, now: Date, authorHash: string | undefined): SQL => sql`
  stored as (
    insert into ${event} (topic, change, created_at)
    select topic, change, ${now.toISOString()}::timestamptz from (${changes}) as changed(topic, change)
    returning json_build_object('id', id, 'topic', topic, 'change', change, 'by', ${authorHash ?? null}::text) as published_change, id),
  gathered as (select json_agg(published_change order by id) as changes
    from (select *, (row_number() over (order by id) - 1) / ${CHANGES_PER_NOTIFICATION}::int as part from stored) as parts
    group by part order by part),
  published as (select changes, pg_notify('site', changes::text) from gathered)`

/** Id of the latest event. A page rendered now needs only later events. */
export const lastEventIdSql = sql<string>`coalesce((select max(e.id) from event e), 0)::text`

export async function readLastEventId({ db }: Pick<Context, 'db'>): Promise<string> {
  const [row] = await db.execute<{ id: string }>(sql`select ${lastEventIdSql} as id`)
  return row?.id ?? '0'
}

/** Reads the id before everything else: a change meanwhile is then replayed, not missed. */
export async function withLastEventId<T extends object>(
  ctx: Pick<Context, 'db'>,
  read: () => Promise<T>,
): Promise<T & { lastEventId: string }> {
  const lastEventId = await readLastEventId(ctx)
  return { ...(await read()), lastEventId }
}

/** Deletes events that are too old for any open page. */
export async function deleteOldEvents(db: Database, now: Date): Promise<void> {
  // Keeps the latest event. With its id, the server detects that a page missed events, even after days.
  const latest = sql`(select max(${event.id}) from ${event})`
  const before = new Date(now.getTime() - EVENT_LIFETIME_MS)
  await db.delete(event).where(and(lt(event.createdAt, before), lt(event.id, latest)))
}
