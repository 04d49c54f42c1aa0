import { and, lt, type SQL, sql } from 'drizzle-orm'
import type { Database, Transaction } from '#db/client.server.ts'
import { event } from '#db/schema/index.ts'
import type { Context } from '#server/core/context.ts'
import type { Announcement, Numbered } from './event.ts'

/** PostgreSQL refuses notifications of 8,000 bytes; one change has 200 at most. */
const TOLD_AT_ONCE = 30
const KEPT_MS = 24 * 60 * 60 * 1000

type Written = { by: string | undefined; changes: Numbered[] }
/** What the transactions under way have announced so far. */
const underWay = new WeakMap<Transaction, Written>()

/**
 * Runs a transaction that changes what pages show: those kept in memory are marked stale before this resolves, so
 * whoever reads after the answer to a write sees it.
 */
export async function write<T>(
  { db, cache, visitor }: Pick<Context, 'db' | 'cache' | 'visitor'>,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const by = visitor()
  let written: Written | undefined
  try {
    const result = await db.transaction((tx) => {
      // Anew for each try: one that lost against a deadlock has changed nothing.
      written = { by, changes: [] }
      underWay.set(tx, written)
      return work(tx)
    })
    cache.invalidate(written?.changes ?? [])
    return result
  } catch (error) {
    // The answer to a commit can get lost when the commit does not.
    cache.invalidateUncommitted(written?.changes ?? [])
    throw error
  }
}

/** As `write`, for a change that is one statement, which needs no transaction around it: its row, with what it `told`. */
export async function writeAtOnce<Row extends object>(
  { db, cache }: Pick<Context, 'db' | 'cache'>,
  statement: SQL,
  tx?: Transaction,
): Promise<Row | undefined> {
  const [row] = await (tx ?? db).execute<Row & { changes: Numbered[] | null }>(statement)
  const changes = row?.changes ?? []
  // When its answer gets lost nobody here knows the numbers: the notification has them.
  if (tx) underWay.get(tx)?.changes.push(...changes)
  else cache.invalidate(changes)
  return row as Row | undefined
}

/** Writes down what a transaction changes and tells every process of it, if and when it commits. */
export async function announce(tx: Transaction, now: Date, announcements: Announcement[]): Promise<void> {
  const written = underWay.get(tx)
  for (let at = 0; at < announcements.length; at += TOLD_AT_ONCE) {
    const some = JSON.stringify(announcements.slice(at, at + TOLD_AT_ONCE))
    const changes = sql`select value ->> 'topic', value -> 'change'
      from jsonb_array_elements(${some}::jsonb) with ordinality order by ordinality`
    const statement = sql`with ${telling(changes, now, written?.by)} select changes from told`
    const [row] = await tx.execute<{ changes: Numbered[] }>(statement)
    written?.changes.push(...(row?.changes ?? []))
  }
}

/**
 * The last steps of a statement's `with`: write down what it changes, and tell every process. `told` has a row with the
 * `changes` where there are any.
 * @param changed a query of topics and changes, at most thirty
 */
export const telling = (changed: SQL, now: Date, by: string | undefined): SQL => sql`
  written as (
    insert into ${event} (topic, change, created_at)
    select topic, change, ${now.toISOString()}::timestamptz from (${changed}) as changed(topic, change)
    returning json_build_object('id', id, 'topic', topic, 'change', change, 'by', ${by ?? null}::text) as numbered, id),
  gathered as (select json_agg(numbered order by id) as changes from written having count(*) > 0),
  told as (select changes, pg_notify('site', changes::text) from gathered)`

/** The newest change there is: what a page was rendered with, it need not be told again. */
export const watermark = sql<string>`coalesce((select max(e.id) from event e), 0)::text`

export async function readWatermark({ db }: Pick<Context, 'db'>): Promise<string> {
  const [row] = await db.execute<{ id: string }>(sql`select ${watermark} as id`)
  return row?.id ?? '0'
}

/** Forgets changes no page will ask for any more. */
export async function sweepEvents(db: Database, now: Date): Promise<void> {
  // The newest one stays: by it a page that comes back after days knows that it has missed something.
  const newest = sql`(select max(${event.id}) from ${event})`
  await db.delete(event).where(and(lt(event.createdAt, new Date(now.getTime() - KEPT_MS)), lt(event.id, newest)))
}
