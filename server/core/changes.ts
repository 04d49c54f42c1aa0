import { and, lt, sql } from 'drizzle-orm'
import type { Database, Transaction } from '#db/client.server.ts'
import { event } from '#db/schema/index.ts'
import type { Change, StoredTopic } from '#src/contract/live.ts'
import type { Context } from './context.ts'

export type Announcement = { topic: StoredTopic; change: Change }
/** A change as every process hears of it. */
export type Numbered = Announcement & {
  id: number
  /** who made it, by the mark of `core/visitors.ts`; never written down */
  by?: string
}

/** PostgreSQL refuses notifications of 8,000 bytes. */
const NOTIFICATION_BYTES = 7000
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
    return await db.transaction((tx) => {
      // Anew for each try: one that lost against a deadlock has changed nothing.
      written = { by, changes: [] }
      underWay.set(tx, written)
      return work(tx)
    })
  } finally {
    // After a failure too: the answer to a commit can get lost when the commit does not.
    cache.changed(written?.changes ?? [])
  }
}

/** Writes down what a transaction changes and tells every process of it, if and when it commits. */
export async function announce(tx: Transaction, now: Date, announcements: Announcement[]): Promise<void> {
  if (announcements.length === 0) return
  const rows = await tx
    .insert(event)
    .values(announcements.map(({ topic, change }) => ({ topic, change, createdAt: now })))
    .returning({ id: event.id })
  const written = underWay.get(tx)
  const numbered = announcements.map(
    (one, index): Numbered => ({ ...one, id: rows[index]?.id ?? 0, ...(written?.by && { by: written.by }) }),
  )
  written?.changes.push(...numbered)
  for (const payload of chunks(numbered)) await tx.execute(sql`select pg_notify('site', ${payload})`)
}

function chunks(numbered: Numbered[]): string[] {
  const whole = JSON.stringify(numbered)
  if (Buffer.byteLength(whole) <= NOTIFICATION_BYTES || numbered.length === 1) return [whole]
  const half = numbered.length >> 1
  return [...chunks(numbered.slice(0, half)), ...chunks(numbered.slice(half))]
}

/** Forgets changes no page will ask for any more. */
export async function sweepEvents(db: Database, now: Date): Promise<void> {
  // The newest one stays: by it a page that comes back after days knows that it has missed something.
  const newest = sql`(select max(${event.id}) from ${event})`
  await db.delete(event).where(and(lt(event.createdAt, new Date(now.getTime() - KEPT_MS)), lt(event.id, newest)))
}
