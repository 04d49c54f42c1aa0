import { inArray, lt, type SQL, sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type { Database } from '#db/client.server.ts'
import { allowance } from '#db/schema/index.ts'

/**
 * A row stores the time when its bucket is full (GCRA). Taking tokens adds `costMs`. The time is never more than
 * `capacityMs` ahead.
 */
export type TokenBucket = { key: string; costMs: number; capacityMs: number }

export type EmptyBucket = { index: number; waitMs: number }

/**
 * Takes tokens from all buckets, or from none if a bucket has too few. A single statement keeps the counts exact with
 * several processes. It stops at the first bucket that has too few; those before it get their tokens back. The order from
 * narrow to wide avoids deadlocks and locks the site's row last. PostgreSQL keeps the plan of this statement; it would
 * plan one that joins a list of buckets again for each call.
 * @returns the refusal with the longest wait, or null if the tokens were taken
 */
export async function takeTokens(db: Database, now: Date, buckets: TokenBucket[]): Promise<EmptyBucket | null> {
  if (buckets.length === 0) return null
  const parts = buckets.map((bucket, place) => sql`${partName(place)} as (${takeUnlessEmpty(bucket, now, place)})`)
  const taken = sql.join(
    buckets.map((_, place) => sql`(select count(*) from ${partName(place)})`),
    sql` + `,
  )
  const [row] = await db.execute<{ taken: number }>(
    sql`with ${sql.join(parts, sql`, `)} select (${taken})::int as taken, ${withoutDiskWait}`,
  )
  const count = row?.taken ?? 0
  const refused = buckets[count]
  if (!refused) return null
  if (count > 0) await returnTokens(db, buckets.slice(0, count))
  // Another request may have put tokens back meanwhile.
  return (await peekTokens(db, now, buckets)) ?? { index: count, waitMs: refused.costMs }
}

const partName = (place: number) => sql.identifier(`taken_${place}`)

/** Returns a row if the bucket and all before it had enough. */
function takeUnlessEmpty(bucket: TokenBucket, now: Date, place: number): SQL {
  const { key, at, cost, capacity } = withTypes(bucket, now)
  const next = sql`${usedUntil(at, sql`2 * ${capacity}`)} + ${cost}`
  const condition = place === 0 ? sql`` : sql`where exists (select from ${partName(place - 1)})`
  return sql`insert into ${allowance} (key, full_at) select ${key}, ${at} + ${cost} ${condition}
    on conflict (key) do update set full_at = ${next} where ${next} <= ${at} + ${capacity} returning 1`
}

const milliseconds = (ms: number) => sql`${ms}::bigint`

const withTypes = ({ key, costMs, capacityMs }: TokenBucket, now: Date) => ({
  key,
  at: milliseconds(now.getTime()),
  cost: milliseconds(costMs),
  capacity: milliseconds(capacityMs),
})

/** Ignores a row that is more than `ahead` ahead: the clock was set back, and nobody has to wait until it catches up. */
const usedUntil = (at: SQL, ahead: SQL) =>
  sql`case when ${allowance.fullAt} > ${at} + ${ahead} then ${at} else greatest(${allowance.fullAt}, ${at}) end`

/** The clocks of processes differ, so a row that another process wrote can be further ahead than its capacity. */
const CLOCK_DIFFERENCE_MS = 5000

/** Not more, because the time by which the clock was set back would count as tokens. */
const raisedLevel = ({ at, cost, capacity }: ReturnType<typeof withTypes>) =>
  sql`least(${usedUntil(at, sql`${capacity} + ${milliseconds(CLOCK_DIFFERENCE_MS)}`)} + ${cost}, ${at} + ${capacity})`

export async function peekTokens(db: Database, now: Date, buckets: TokenBucket[]): Promise<EmptyBucket | null> {
  const keys = buckets.map(({ key }) => key)
  const rows = await db.select().from(allowance).where(inArray(allowance.key, keys))
  const fullAt = new Map(rows.map((row) => [row.key, row.fullAt]))
  const at = now.getTime()
  const refusals = buckets.flatMap(({ key, costMs, capacityMs }, index) => {
    const waitMs = (fullAt.get(key) ?? at) + costMs - capacityMs - at
    // Ignore a longer wait: it means that the clock was set back.
    return waitMs > 0 && waitMs <= capacityMs + costMs ? { index, waitMs } : []
  })
  return refusals.sort((a, b) => b.waitMs - a.waitMs)[0] ?? null
}

/**
 * Adds to a bucket without refusing anything. Its level falls by one ms per ms and never exceeds `capacityMs`.
 * @returns the level in ms
 */
export async function raiseLevel(db: Database, now: Date, bucket: TokenBucket): Promise<number> {
  const typed = withTypes(bucket, now)
  const { key, at, cost, capacity } = typed
  const [row] = await db.execute<{ level: number }>(sql`
    with raised as (
      insert into ${allowance} (key, full_at) values (${key}, ${at} + least(${cost}, ${capacity}))
      on conflict (key) do update
      set full_at = ${raisedLevel(typed)}
      returning full_at
    )
    select (full_at - ${at})::float8 as level, ${withoutDiskWait} from raised`)
  return row?.level ?? 0
}

/**
 * Returns the statements `raising`, `existing` and `created`, which add to a bucket within a longer statement. `raised` is
 * the query of the level in ms. It is null if another transaction holds the bucket: its commit may wait for the disk.
 */
export function raiseLevelWith(bucket: TokenBucket, now: Date, condition: SQL) {
  const typed = withTypes(bucket, now)
  const { key, at, cost, capacity } = typed
  const isOwn = sql`${allowance.key} = ${key}`
  const statements = sql`
    raising as (select key from ${allowance} where ${isOwn} and ${condition} for update skip locked),
    existing as (
      update ${allowance}
      set full_at = ${raisedLevel(typed)}
      where key = (select key from raising) returning full_at),
    created as (
      insert into ${allowance} (key, full_at) select ${key}, ${at} + least(${cost}, ${capacity})
      where ${condition} and not exists (select from ${allowance} where ${isOwn}) on conflict do nothing returning full_at)`
  const raised = sql`(select (full_at - ${at})::float8 from (table existing union all table created) as level)`
  return { statements, raised }
}

export async function returnTokens(db: Database, buckets: TokenBucket[]): Promise<void> {
  await db.execute(sql`
    with held as (
      select a.key, cost from ${allowance} a
      join ${unnested(buckets)} with ordinality as wanted (key, cost, capacity, place) on wanted.key = a.key
      order by place for update of a
    )
    update ${allowance} set full_at = ${allowance}.full_at - cost from held where ${allowance.key} = held.key
    returning ${withoutDiskWait}`)
}

/** Deletes full buckets, because a missing row also means a full bucket. Skips locked rows to avoid deadlocks. */
export async function deleteFullBuckets(db: Database, now: Date): Promise<void> {
  const full = db
    .select({ key: allowance.key })
    .from(allowance)
    .where(lt(allowance.fullAt, now.getTime()))
    .for('update', { skipLocked: true })
  await db.delete(allowance).where(inArray(allowance.key, full))
}

/** Commits without waiting for the disk. A crash may lose the counts of the last second. */
const withoutDiskWait = sql`set_config('synchronous_commit', 'off', true)`

const unnested = (buckets: TokenBucket[]) => {
  const list = (values: (string | number)[]) => sql`${`{${values.join()}}`}`
  const keys = list(buckets.map(({ key }) => key))
  const costs = list(buckets.map(({ costMs }) => costMs))
  const capacities = list(buckets.map(({ capacityMs }) => capacityMs))
  return sql`unnest(${keys}::text[], ${costs}::bigint[], ${capacities}::bigint[])`
}

/**
 * Creates token buckets in memory, as `takeTokens` has them in the database: stores only the time when each is full. A key
 * beyond `maxKeys` starts again with a full bucket.
 * @param clock in ms
 */
export function createMemoryBuckets({ maxKeys, clock }: { maxKeys: number; clock: () => number }) {
  const fullAt = new LRUCache<string, number>({ max: maxKeys })

  return {
    /** Takes tokens from all buckets. @returns the first bucket that has too few: then nothing is taken */
    take(buckets: TokenBucket[]): EmptyBucket | null {
      const now = clock()
      const next = buckets.map(({ key, costMs }) => Math.max(fullAt.get(key) ?? now, now) + costMs)
      for (const [index, { capacityMs }] of buckets.entries()) {
        const waitMs = (next[index] ?? 0) - now - capacityMs
        if (waitMs > 0) return { index, waitMs }
      }
      for (const [index, { key }] of buckets.entries()) fullAt.set(key, next[index] ?? 0)
      return null
    },
  }
}
