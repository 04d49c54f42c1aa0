import { createHmac } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { eq, inArray, lt, sql } from 'drizzle-orm'
import type { Database } from '#db/client.server.ts'
import { attempt } from '#db/schema/index.ts'
import { errors } from './errors.ts'

/** Attempts in a row that cost nothing; from there on each next one doubles the wait. */
const FREE_FAILURES = 10
/** Longest wait: long enough against guessing, short enough that nobody is locked out by a stranger's guesses. */
const LONGEST_WAIT_S = 60
const MEMORY_MS = 60 * 60 * 1000

type Scope = { db: Database; key: Uint8Array; now: Date }

/** A network address as one visitor: an IPv6 network of /64 belongs to one household. */
export function addressGroup(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped?.[1]) return mapped[1]
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? []
  const left = head.split(':').filter(Boolean)
  const right = tail?.split(':').filter(Boolean) ?? []
  const groups = tail === undefined ? left : [...left, ...Array(8 - left.length - right.length).fill('0'), ...right]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

/** Keys are hashes: neither addresses nor emails of visitors stand in the database. */
function hash(key: Uint8Array, name: string): string {
  return createHmac('sha256', key).update(name).digest('base64url')
}

/**
 * Counts an attempt for each name before it is looked at, in one statement, so that a thousand at once are
 * a thousand counted; one that succeeds is forgotten again.
 * @throws AppError 429 with the seconds to wait while one of the names has failed too often
 */
export async function takeAttempt({ db, key, now }: Scope, names: string[]): Promise<void> {
  const expiresAt = new Date(now.getTime() + MEMORY_MS)
  const stale = sql`${attempt.expiresAt} < ${now.toISOString()}::timestamptz`
  const wait = sql`least(${LONGEST_WAIT_S}::int, power(2, least(${attempt.count} + 1 - ${FREE_FAILURES}, 10)))`
  // In the order of the keys: two attempts at once must not wait for each other.
  for (const one of names.map((name) => hash(key, name)).sort()) {
    const taken = await db
      .insert(attempt)
      .values({ key: one, count: 1, retryAt: 0, expiresAt })
      .onConflictDoUpdate({
        target: attempt.key,
        set: {
          count: sql`case when ${stale} then 1 else ${attempt.count} + 1 end`,
          retryAt: sql`case when ${stale} or ${attempt.count} + 1 < ${FREE_FAILURES} then 0
            else ${now.getTime()}::bigint + (1000 * ${wait})::bigint end`,
          expiresAt,
        },
        setWhere: sql`${stale} or ${attempt.retryAt} <= ${now.getTime()}::bigint`,
      })
      .returning({ key: attempt.key })
    if (taken.length === 0) throw await tooSoon({ db, key, now }, one)
  }
}

async function tooSoon({ db, now }: Scope, key: string) {
  const [row] = await db.select({ retryAt: attempt.retryAt }).from(attempt).where(eq(attempt.key, key))
  const seconds = Math.max(1, Math.ceil(((row?.retryAt ?? 0) - now.getTime()) / 1000))
  return errors.tooMany(`Too many attempts. Please try again in ${seconds} s.`, { retryAfter: seconds })
}

/** Forgets the attempts of names that have shown the right password. */
export async function forgetAttempts({ db, key }: Scope, names: string[]): Promise<void> {
  await db.delete(attempt).where(
    inArray(
      attempt.key,
      names.map((name) => hash(key, name)),
    ),
  )
}

/** Forgets attempts nobody waits for any more. */
export async function sweepAttempts(db: Database, now: Date): Promise<void> {
  await db.delete(attempt).where(lt(attempt.expiresAt, now))
}
