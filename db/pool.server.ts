import { setTimeout as sleep } from 'node:timers/promises'
import { drizzle } from 'drizzle-orm/postgres-js'
import type { Sql } from 'postgres'
import { errorChain, hasErrorCode } from './errors.server.ts'
import { type Begin, type Timeout, withQueryTimeout, withTransactionTimeout } from './queryWatchdog.server.ts'

/** Limits replacements while the database is down, when every connect fails. */
const MIN_REPLACE_INTERVAL_MS = 2000
/** Longer after a timeout: the database may only be busy, and the old pool's connections stay open for a while. */
const MIN_REPLACE_INTERVAL_AFTER_TIMEOUT_MS = 60_000
/** Time for a replaced pool to finish its queries. Longer than any statement may take. */
const DRAIN_MS = 150_000
/** Limits attempts for a transaction that PostgreSQL aborts because of a deadlock. */
const MAX_TRIES = 5

type PoolOptions = {
  timeoutMs?: number
  /** false: a connection that does not answer in time counts as lost */
  isAnswerCertain?: boolean
}

/**
 * Creates a pool that is replaced when it loses a connection: if postgres.js 3.4.9 loses a connection while a query
 * waits, the connection never sends again. `max_lifetime` must be null: the pool treats every closed connection as
 * lost.
 * @param open opens a pool that calls `onclose` when one of its connections closes
 */
export function createPool(
  open: (onclose: () => void) => Sql,
  { timeoutMs, isAnswerCertain = false }: PoolOptions = {},
) {
  const draining = new Map<Sql, NodeJS.Timeout>()
  let replacing: NodeJS.Timeout | undefined
  let replacedAt = 0
  let closed = false
  let current = createCurrent()

  function createCurrent(): Sql {
    const pool = open(() => replaceSoon(pool, MIN_REPLACE_INTERVAL_MS))
    // Called for its side effect: Drizzle removes the pool's date parsers, because it parses dates itself.
    drizzle(pool)
    const begin = safeBegin(pool.begin.bind(pool) as Begin)
    return Object.assign(pool, { begin: withTransactionTimeout(begin, timeoutOf(pool)) })
  }

  function replaceSoon(pool: Sql, minIntervalMs: number): void {
    if (closed || pool !== current || replacing) return
    replacing = setTimeout(replace, Math.max(0, replacedAt + minIntervalMs - Date.now())).unref()
  }

  function timeoutOf(pool: Sql): Timeout {
    return {
      ms: timeoutMs,
      isAnswerCertain,
      onTimeout: () => isAnswerCertain || replaceSoon(pool, MIN_REPLACE_INTERVAL_AFTER_TIMEOUT_MS),
    }
  }

  /** Drizzle sends every query outside a transaction through `unsafe`. */
  function unsafe(...args: Parameters<Sql['unsafe']>) {
    const pool = current
    return withQueryTimeout(prepareRepeated(pool.unsafe)(...args), timeoutOf(pool))
  }

  function replace(): void {
    const old = current
    replacing = undefined
    replacedAt = Date.now()
    current = createCurrent()
    const timer = setTimeout(() => {
      draining.delete(old)
      void old.end({ timeout: 5 })
    }, DRAIN_MS)
    draining.set(old, timer.unref())
  }

  // Drizzle keeps this object as long as the process runs, so the object forwards calls to the current pool.
  const sql = new Proxy((() => {}) as unknown as Sql, {
    apply: (_target, _this, args) => Reflect.apply(current, undefined, args),
    get: (_target, name) => (name === 'unsafe' ? unsafe : Reflect.get(current, name)),
  })
  return {
    sql,
    async close(timeoutSeconds: number): Promise<void> {
      closed = true
      clearTimeout(replacing)
      for (const timer of draining.values()) clearTimeout(timer)
      // Forces replaced pools to close, because a lost connection does not close by itself.
      const ends = [...draining.keys()].map((pool) => pool.end({ timeout: 0 }))
      await Promise.all([current.end({ timeout: timeoutSeconds }), ...ends])
    },
  }
}

/**
 * Handles lost connections and deadlocks in transactions. postgres.js throws an uncaught error if it sends ROLLBACK to
 * a lost connection (porsager/postgres#1208). After a deadlock, `work` runs again, so it must change only the database.
 */
function safeBegin(begin: Begin): Begin {
  return async (work) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await begin((tx) =>
          work(Object.assign(tx, { unsafe: prepareRepeated(tx.unsafe) })).catch((error) => {
            // `begin` already rejects when the connection closes. If `work` rejected too, `begin` would send ROLLBACK.
            if (isConnectionLost(error)) return new Promise(() => {})
            throw error
          }),
        )
      } catch (error) {
        if (attempt >= MAX_TRIES || !isDeadlock(error)) throw error
        await sleep(Math.random() * 50 * attempt)
      }
    }
  }
}

const isConnectionLost = (error: unknown) =>
  errorChain(error).some(
    ({ code, severity }) => /^(FATAL|PANIC)$/.test(String(severity)) || /^(CONNECTION_|ECONN|EPIPE)/.test(String(code)),
  )

const isDeadlock = (error: unknown) => hasErrorCode(error, '40P01', '40001')

type Unsafe = Sql['unsafe']

/** Limits memory: some queries have many texts, one for each number of parameters. */
const MAX_STATEMENTS = 250

/** Prepares a statement from its second use on. Drizzle only prepares queries on which we call `prepare()`. */
export function prepareRepeated(unsafe: Unsafe): Unsafe {
  return (text, parameters, options) =>
    unsafe(text, parameters, { ...options, prepare: Boolean(parameters?.length) && isRepeated(text) })
}

const seenOnce = new Set<string>()
const repeated = new Set<string>()

function isRepeated(text: string): boolean {
  if (repeated.has(text)) return true
  if (repeated.size >= MAX_STATEMENTS) return false
  if (seenOnce.delete(text)) repeated.add(text)
  else {
    if (seenOnce.size >= MAX_STATEMENTS) seenOnce.clear()
    seenOnce.add(text)
  }
  return repeated.has(text)
}
