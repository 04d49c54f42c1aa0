import { inArray, lt, sql } from 'drizzle-orm'
import type { Database } from '#db/client.server.ts'
import { hasErrorCode } from '#db/errors.server.ts'
import { allowance } from '#db/schema/index.ts'

/**
 * One count to take from. A row holds the instant at which all of it is back (the generic cell rate algorithm): taking
 * moves that instant on by `costMs`, and it may lie `wholeMs` ahead at most.
 */
export type Share = { key: string; costMs: number; wholeMs: number }

/** The first share, in the order given, that has waited for longest, and for how long it still has to. */
export type Refusal = { index: number; waitMs: number }

/** Two visitors may create the same row at once; the later one finds it at the second try. */
const TRIES = 5

/**
 * Takes from all shares, or from none where one of them has too little left: one statement, so that requests of any
 * number at once, in any number of processes, are counted exactly. It locks existing rows in the order given before it
 * looks at them, and then creates the missing ones. Callers list shares from the narrowest to the widest, so that no two
 * statements can wait for each other and the row that all have in common is locked last.
 * @returns the refusal with the longest wait; null when everything was taken
 */
export async function takeTokens(db: Database, now: Date, shares: Share[]): Promise<Refusal | null> {
  const at = sql`${now.getTime()}::bigint`
  const statement = sql`
    with wanted as (
      select * from ${unnested(shares)} with ordinality as wanted (key, cost, whole, place)
    ), held as materialized (
      select a.key, a.full_at from ${allowance} a join wanted on wanted.key = a.key order by place for update of a
    ), next as materialized (
      select wanted.key, whole, place, held.key is null as is_new,
        -- No row of this clock is so far ahead: the clock was put back, and nobody is to wait for it to catch up.
        case when held.full_at > ${at} + 2 * whole then ${at} else greatest(held.full_at, ${at}) end + cost as full_at
      from wanted left join held on held.key = wanted.key
    ), refused as (
      select place, full_at - whole - ${at} as wait from next where full_at > ${at} + whole
    ), created as (
      insert into ${allowance} (key, full_at)
      select key, full_at from next where is_new and not exists (select from refused) order by place
    ), moved as (
      update ${allowance} set full_at = next.full_at from next
      where ${allowance.key} = next.key and not is_new and not exists (select from refused)
    )
    select place::int as place, wait::float8 as wait, ${committedAtOnce}
    from (values (1)) as one left join (select place, wait from refused order by wait desc, place limit 1) worst on true`
  for (let left = TRIES; ; left--) {
    try {
      const [worst] = await db.execute<{ place: number | null; wait: number }>(statement)
      return worst && worst.place !== null ? { index: worst.place - 1, waitMs: worst.wait } : null
    } catch (error) {
      if (left <= 1 || !isUniqueViolation(error)) throw error
    }
  }
}

/** Says what takeTokens would answer, and takes nothing. */
export async function peekTokens(db: Database, now: Date, shares: Share[]): Promise<Refusal | null> {
  const keys = shares.map(({ key }) => key)
  const rows = await db.select().from(allowance).where(inArray(allowance.key, keys))
  const fullAt = new Map(rows.map((row) => [row.key, row.fullAt]))
  const at = now.getTime()
  const refusals = shares.flatMap(({ key, costMs, wholeMs }, index) => {
    const waitMs = (fullAt.get(key) ?? at) + costMs - wholeMs - at
    // As above: of a clock that was put back.
    return waitMs > 0 && waitMs <= wholeMs + costMs ? { index, waitMs } : []
  })
  return refusals.sort((a, b) => b.waitMs - a.waitMs)[0] ?? null
}

/** Gives back to each share its `costMs`; what is full stays full. */
export async function returnTokens(db: Database, shares: Share[]): Promise<void> {
  await db.execute(sql`
    with held as (
      select a.key, cost from ${allowance} a
      join ${unnested(shares)} with ordinality as wanted (key, cost, whole, place) on wanted.key = a.key
      order by place for update of a
    )
    update ${allowance} set full_at = ${allowance}.full_at - cost from held where ${allowance.key} = held.key
    returning ${committedAtOnce}`)
}

/** Forgets rows that are full again, as missing rows are. It waits for no row, so it cannot deadlock with a taker. */
export async function deleteFullBuckets(db: Database, now: Date): Promise<void> {
  const full = db
    .select({ key: allowance.key })
    .from(allowance)
    .where(lt(allowance.fullAt, now.getTime()))
    .for('update', { skipLocked: true })
  await db.delete(allowance).where(inArray(allowance.key, full))
}

/** What a crash of the database forgets, of a second at most, is not worth waiting for the disk. */
const committedAtOnce = sql`set_config('synchronous_commit', 'off', true)`

const unnested = (shares: Share[]) => {
  const list = (values: (string | number)[]) => sql`${`{${values.join()}}`}`
  const keys = list(shares.map(({ key }) => key))
  const costs = list(shares.map(({ costMs }) => costMs))
  const wholes = list(shares.map(({ wholeMs }) => wholeMs))
  return sql`unnest(${keys}::text[], ${costs}::bigint[], ${wholes}::bigint[])`
}

const isUniqueViolation = (error: unknown) => hasErrorCode(error, '23505')
